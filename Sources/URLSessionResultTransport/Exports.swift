#if canImport(FoundationNetworking)

// On Linux, `URLSession` is in a module of its own. This import counts for all files of the module, and for those that
// import it.
@_exported import FoundationNetworking

#endif
