import SyncFetching

extension RecordPayload {
  /// Fetches what has to be fetched, so that all of it is here.
  func load(
    _ onProgress: (@Sendable (RecordProgress) -> Void)?
  ) async throws -> LoadedPayload {
    guard case .address(let address) = source else { return LoadedPayload(self) }
    onProgress?(RecordProgress(stage: .fetching))
    let fetch = PageFetch(address: address, environment: .real) { pages, bytes in
      var progress = RecordProgress(stage: .fetching)
      (progress.pages, progress.bytes) = (pages, bytes)
      onProgress?(progress)
    }
    guard case .pages(let pages) = try await fetch.fetch() else {
      throw PayloadProblem.source(address.url, .notFetched)
    }
    return LoadedPayload(pages, of: self)
  }
}
