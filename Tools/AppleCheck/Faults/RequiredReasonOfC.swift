import Darwin

func isThere(_ path: String) -> Bool {
    stat(path, 0) == 0  // fault
}
