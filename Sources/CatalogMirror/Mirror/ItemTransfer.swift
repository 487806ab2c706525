import SyncLock
import SyncTransport

/// Fetches the bytes of one item or preview into the staging area, and checks them.
struct ItemTransfer: Sendable {
  /// What is fetched, and what it is held against.
  struct Target: Sendable {
    /// Tried in this order.
    var locators: [String]
    var size: Int64?
    var sha256: SHA256Digest?
    /// In seconds since 1970.
    var modified: Double?
    /// Validators of what is held, when only a newer state is wanted; they speak of the first
    /// locator.
    var etag: String?
    var lastModified: String?
  }

  /// What came of it.
  enum Outcome: Sendable {
    case fetched(Staged, ByteAnswer)
    /// What is held is still right.
    case notModified
  }

  let source: any ByteSource
  let staging: Staging
  let fileQueue: any DiskQueue
  let maximumSize: Int64
  let allowsUnframed: Bool
  let observer: MirrorObserver

  /// Fetches from the first locator that gives the right bytes.
  /// - Throws: what the last locator failed with: ``ItemError``, `TransportError`, ``FolderError``.
  func fetch(_ target: Target) async throws -> Outcome {
    var failure: any Error = ItemError.unframed
    for (place, locator) in target.locators.enumerated() {
      do {
        return place == 0
          ? try await fetchChecked(target, from: locator)
          : try await fetchChecked(target.withoutValidators, from: locator).withoutValidators
      } catch let error as CancellationError {
        throw error
      } catch let error as FolderError {
        throw error  // another place to fetch from doesn't mend our disk
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Wrong bytes are asked for once more, past all caches.
  private func fetchChecked(_ target: Target, from locator: String) async throws -> Outcome {
    do {
      return try await fetchOnce(target, from: locator, bypassesCaches: false)
    } catch let error as ItemError where error.mayBeStale {
      return try await fetchOnce(target, from: locator, bypassesCaches: true)
    }
  }

  private func fetchOnce(
    _ target: Target, from locator: String, bypassesCaches: Bool
  ) async throws -> Outcome {
    let sink = StagingSink(self, target)
    var request = ByteRequest(url: locator)
    request.bypassesCaches = bypassesCaches
    request.etag = bypassesCaches ? nil : target.etag
    request.lastModified = bypassesCaches ? nil : target.lastModified
    request.check = { answer in
      // A short body is a passing failure: the server may be in the middle of replacing the file.
      guard let size = target.size, answer.bodyBytes < size else { return }
      throw TransportError(
        .shortBody, at: URLReference(answer.url)?.redacted ?? "the item",
        detail: "\(answer.bodyBytes) of \(size) bytes")
    }
    let answer = try await source.fetch(request, into: sink)
    if answer.isNotModified {
      guard request.etag != nil || request.lastModified != nil else {
        throw ItemError.unaskedNotModified
      }
      return .notModified
    }
    let staged = try await fileQueue.run { try sink.finish() }
    if let digest = target.sha256, staged.sha256 != digest {
      staging.discard(staged)
      throw ItemError.digestDiffers
    }
    return .fetched(staged, answer)
  }
}

extension ItemTransfer.Target {
  /// For another locator than the first: two servers may give different bytes the same tag.
  fileprivate var withoutValidators: Self {
    var target = self
    (target.etag, target.lastModified) = (nil, nil)
    return target
  }
}

extension ItemTransfer.Outcome {
  fileprivate var withoutValidators: Self {
    guard case .fetched(let staged, var answer) = self else { return self }
    (answer.etag, answer.lastModified) = (nil, nil)
    return .fetched(staged, answer)
  }
}

/// Writes a body into the staging area as it comes, and counts it.
private final class StagingSink: ByteSink {
  private struct State {
    var file: StagedFile?
    var count: Int64 = 0
  }

  private let transfer: ItemTransfer
  private let target: ItemTransfer.Target
  private let state = Locked(State())

  init(_ transfer: ItemTransfer, _ target: ItemTransfer.Target) {
    self.transfer = transfer
    self.target = target
  }

  func begin(_ answer: ByteAnswer) throws {
    let isVouchedFor = target.size != nil || target.sha256 != nil
    if let coding = answer.contentCoding, coding.lowercased() != "identity", !isVouchedFor {
      throw ItemError.coded(coding)
    }
    guard answer.isFramed || isVouchedFor || transfer.allowsUnframed else {
      throw ItemError.unframed
    }
    try state.withLock { state in
      transfer.observer.update { $0.bytesDone -= state.count }
      state.count = 0
      if let file = state.file {
        try file.restart()
      } else {
        state.file = try transfer.staging.create()
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      state.count += Int64(bytes.count)
      transfer.observer.update { $0.bytesDone += Int64(bytes.count) }
      if let size = target.size, state.count > size { throw ItemError.longerThanDeclared(size) }
      guard state.count <= max(transfer.maximumSize, target.size ?? 0) else {
        throw ItemError.largerThanAllowed(transfer.maximumSize)
      }
      try state.file?.write(bytes)
    }
  }

  /// The whole file. Blocks; belongs on a queue.
  func finish() throws -> Staged {
    try state.withLock { state in
      let file = try state.file ?? transfer.staging.create()
      state.file = nil
      return try file.finish(modified: target.modified)
    }
  }
}
