#if canImport(FoundationNetworking)

// On Linux, `URLSession` is in a module of its own. Tests of code that imports only Foundation need no import of it.
@_exported import FoundationNetworking

#endif
