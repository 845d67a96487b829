#if canImport(FoundationNetworking)

// On Linux, `URLSession` is in a module of its own. Without this line, every file that names a session or a request would need a
// conditional import, in this module and in its users'.
@_exported import FoundationNetworking

#endif
