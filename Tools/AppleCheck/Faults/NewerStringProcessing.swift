func position(of word: String, in text: String) -> Range<String.Index>? {
    text.firstRange(of: word)  // fault
}
