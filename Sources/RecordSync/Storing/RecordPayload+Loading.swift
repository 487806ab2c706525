import SyncFetching
import SyncFiles

extension RecordPayload {
  /// Fetches what has to be fetched, so that all of it is here.
  ///
  /// - Parameters:
  ///   - isReadTwice: Whether what can be read only once has to be kept.
  ///   - known: What the server may answer by that nothing has changed; then there is no payload.
  func load(
    _ onProgress: (@Sendable (RecordProgress) -> Void)?, isReadTwice: Bool = false,
    unless known: PageValidators? = nil
  ) async throws -> LoadedPayload? {
    if isReadTwice, case .standardInput = source {
      return try await DispatchDiskQueue().run { try readStandardInput() }
    }
    guard case .address(let address) = source else { return LoadedPayload(self) }
    onProgress?(RecordProgress(stage: .fetching))
    let fetch = PageFetch(address: address, environment: .real) { pages, bytes in
      var progress = RecordProgress(stage: .fetching)
      (progress.pages, progress.bytes) = (pages, bytes)
      onProgress?(progress)
    }
    switch try await fetch.fetch(known) {
    case .pages(let pages): return LoadedPayload(pages, of: self)
    case .notModified: return nil
    }
  }

  private func readStandardInput() throws -> LoadedPayload {
    let spool = Spool()
    var source = DescriptorSource.standardInput
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try source.read(into: buffer), count > 0 {
      try spool.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return LoadedPayload(kept: spool, of: self)
  }
}
