// `import URLSessionResultClient` is enough for results, decoders and counterparts, too. It also counts for all files of the client.
@_exported import URLSessionResult
