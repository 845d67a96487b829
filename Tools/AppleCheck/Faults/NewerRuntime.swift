func isCollectionOfCodes(_ value: Any) -> Bool {
    value is any Collection<Int>  // fault
}
