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
    if isReadTwice, let kept = try await DispatchDiskQueue().run({ try readOnce().map(keep) }) {
      return kept
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

  /// What can be read only once: standard input, or a pipe that has a name.
  private func readOnce() throws(PayloadProblem) -> DescriptorSource? {
    switch source {
    case .standardInput: return .standardInput
    case .bytes, .address: return nil
    case .file(let path):
      do throws(Errno) {
        let file = try Descriptor.open(userPath: path, .reading, in: SystemFileSystem())
        return try file.status().kind == .file ? nil : DescriptorSource(file)
      } catch {
        throw .unreadable(reason: error.text)
      }
    }
  }

  private func keep(_ once: DescriptorSource) throws -> LoadedPayload {
    let spool = Spool()
    var source = once
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try source.read(into: buffer), count > 0 {
      try spool.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return LoadedPayload(kept: spool, of: self)
  }
}
