import SyncFetching
import SyncFiles
import SyncLock

extension RecordPayload {
  /// Fetches what has to be fetched, so that all of it is here. What can be read only once is kept:
  /// where parts of it say different things of one row, it is read again.
  ///
  /// - Parameters:
  ///   - deletes: Whether what is missing would be taken for gone.
  ///   - known: What the server may answer by that nothing has changed; then there is no payload.
  func load(
    _ onProgress: (@Sendable (RecordProgress) -> Void)?, deletes: Bool,
    unless known: PageValidators? = nil
  ) async throws -> LoadedPayload? {
    // What stands beside the elements decides what may go.
    let looksBeside = deletes && (isAddress || isWithin)
    guard let loaded = try await load(onProgress, unless: known) else { return nil }
    guard looksBeside else { return loaded }
    let next = nextPath
    return try await DispatchDiskQueue().run { [loaded] in
      var looked = loaded
      try looked.lookBeside(next: next)
      return looked
    }
  }

  private var isAddress: Bool { if case .address = source { true } else { false } }

  private var isWithin: Bool { if case .items = form { true } else { false } }

  private var nextPath: PayloadPath? {
    if case .address(let address) = source { address.next } else { nil }
  }

  private func load(
    _ onProgress: (@Sendable (RecordProgress) -> Void)?, unless known: PageValidators?
  ) async throws -> LoadedPayload? {
    if let kept = try await keepOnce() { return kept }
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

  /// What can be read only once is kept; whoever waits for it may stop waiting.
  private func keepOnce() async throws -> LoadedPayload? {
    let isCancelled = Locked(false)
    do {
      return try await withTaskCancellationHandler {
        try await DispatchDiskQueue().run {
          guard var once = try readOnce() else { return nil }
          once.isCancelled = { isCancelled.withLock { $0 } }
          return try keep(once)
        }
      } onCancel: {
        isCancelled.withLock { $0 = true }
      }
    } catch is PayloadProblem where Task.isCancelled {
      throw CancellationError()
    } catch let error as Errno {
      throw PayloadProblem.noRoom(reason: error.text)
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
