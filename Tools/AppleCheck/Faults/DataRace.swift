final class Counter {
    var count = 0
}

func countTwice() {
    let counter = Counter()
    Task { counter.count += 1 }  // fault
    counter.count += 1
}
