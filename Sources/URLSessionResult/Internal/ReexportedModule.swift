#if canImport(FoundationNetworking)

// On Linux, `URLSession` is in a module of its own. Whoever imports this library uses `URLSession`, so `import
// URLSessionResult` imports that module, too. Without this line, every file that names a session or a request needs a
// conditional import. It also counts for all files of the library.
@_exported import FoundationNetworking

// Workaround: `URLSession` is not in `Foundation`, but in `FoundationNetworking`
// Instead: the library re-exports it, so that `import URLSessionResult` is enough
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: by design
// May go: this file

#endif
