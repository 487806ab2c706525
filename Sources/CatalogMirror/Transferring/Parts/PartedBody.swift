import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock
import SyncText
import SyncTransport

/// The file that several streams fetch, as they share it: what it is made of, and what is
/// remembered of it for the next run.
///
/// All parts are of one state: each is taken only from a 206 with the very range that was asked
/// for, of a whole of the catalog's size, under the strong validator of the first one, from the
/// same place.
final class PartedBody: Sendable {
  private struct State {
    var file: StagedParts?
    var origin: StagingSink.Origin?
    /// Bytes of the file that came in an earlier run.
    var carried: Int64 = 0
    /// What the progress was told of them.
    var announced: Int64 = 0
    /// Bytes that came in this run.
    var came: Int64 = 0
    var mediaType: String?
    /// Which address answered.
    var url: String?
    /// When the bytes were last modified, as the first answer said.
    var modified: Double?
    var keeper: PartialKeeper?
    /// At how many bytes the keeper is told next.
    var nextNote = PartialFiles.worthKeeping
  }

  let transfer: ItemTransfer
  let target: ItemTransfer.Target
  let locator: String
  let size: Int64
  private let state = Locked(State())

  /// How many more bytes call for a new record, which only it tells of what lies behind a gap.
  private static let step: Int64 = 4 << 20

  init(_ transfer: ItemTransfer, _ target: ItemTransfer.Target, from locator: String, size: Int64) {
    (self.transfer, self.target, self.locator, self.size) = (transfer, target, locator, size)
  }

  /// What can't be made of parts has to come in one piece.
  struct NeedsOnePiece: Error {
    /// Whether other files from there can't be made of parts either, as far as this one tells.
    var isAlike = false
  }

  /// What is in the file.
  var held: ByteRanges { state.withLock { $0.file }?.written ?? ByteRanges() }

  /// What further parts have to be of; `nil` before the first one.
  var validator: StrongValidator? { state.withLock { $0.origin?.validator } }

  /// What the first part was said to be.
  var mediaType: String? { state.withLock { $0.mediaType } }

  /// Which address answers, after redirects; `nil` before it did.
  var url: String? { state.withLock { $0.url } }

  /// An answer has begun to the request for a range: gives the file that it belongs to.
  /// - Throws: ``NeedsOnePiece`` where it isn't a part that can be joined to the others.
  func join(_ answer: ByteAnswer, asked range: Range<Int64>) throws -> StagedParts {
    guard case .bytes(let sent, let whole) = answer.part, sent == ClosedRange(range),
      whole == size, answer.declaredLength ?? Int64(range.count) == range.count, !answer.isCoded
    else { throw NeedsOnePiece(isAlike: validator != nil) }
    let (file, announced) = try state.withLock { state in
      if let origin = state.origin {
        guard origin.validator.isOf(answer),
          origin.address.digest == StagingSink.Address.url(answer.url).digest
        else { throw NeedsOnePiece(isAlike: true) }
      } else {
        guard let validator = StrongValidator(answer) else { throw NeedsOnePiece(isAlike: true) }
        state.origin = StagingSink.Origin(
          validator: validator, address: .url(answer.url), whole: size)
      }
      state.url = answer.url
      state.mediaType = state.mediaType ?? answer.mediaType
      state.modified = state.modified ?? answer.modified
      let announced = state.carried - state.announced
      state.announced = state.carried
      let file = try state.file ?? create()
      state.file = file
      return (file, announced)
    }
    tellProgress(done: 0, total: -announced)
    return file
  }

  private func create() throws -> StagedParts {
    try transfer.staging.createParts(size: size, hashedBy: target.algorithms)
  }

  /// So many more bytes were handed on to be written.
  func came(_ count: Int) {
    let file = state.withLock { state -> StagedParts? in
      state.came += Int64(count)
      guard state.carried + state.came >= state.nextNote else { return nil }
      state.nextNote = state.carried + state.came + Self.step
      return state.file
    }
    tellProgress(done: Int64(count), total: 0)
    guard let file, let slot, let record = record(of: file) else { return }
    let keeper = state.withLock { state in
      let keeper = state.keeper ?? makeKeeper(slot)
      state.keeper = keeper
      return keeper
    }
    keeper.note(record, of: file.file)
  }

  /// The whole file, and how much of it came in this run. Blocks.
  func finish() throws -> (Staged, received: Int64) {
    let (file, keeper) = state.withLock { ($0.file, $0.keeper.take()) }
    guard let file else { throw NeedsOnePiece() }
    try keeper?.end()
    if let slot { transfer.partials.remove(slot, but: file.name) }
    let (modified, carried) = state.withLock { ($0.modified, $0.carried) }
    let staged = try file.finish(modified: target.modified ?? modified)
    return (staged, size - carried)
  }

  private func tellProgress(done: Int64, total: Int64) {
    guard done != 0 || total != 0 else { return }
    transfer.observer.update { progress in
      progress.bytesDone += done
      progress.bytesTotal += total
    }
  }
}

/// What is kept of it for the next run.
extension PartedBody {
  /// Takes up what an earlier run left of the same version from the same locator: its parts, or its
  /// beginning where it came as one. At least the last byte is asked for anew, so that there is an
  /// answer to hold it against.
  func takeUp() async throws {
    guard let slot, let record = transfer.part(of: target, from: locator) else { return }
    guard record.whole ?? size == size, let validator = StrongValidator(stored: record.validator),
      let file = try await resume(record)
    else {
      try await transfer.fileQueue.run { [partials = transfer.partials] in
        partials.remove(slot)
      }
      return
    }
    state.withLock { state in
      (state.file, state.carried) = (file, file.written.count)
      state.origin = StagingSink.Origin(
        validator: validator, address: .digest(record.place), whole: record.whole)
      state.nextNote = state.carried + Self.step
    }
    // Before anything is written behind a gap: until now the length told what is there.
    guard record.parts == nil, let record = self.record(of: file) else { return }
    let keeper = makeKeeper(slot)
    try await transfer.fileQueue.run { try keeper.close(record, of: file.file) }
  }

  private func resume(_ record: PartialRecord) async throws -> StagedParts? {
    let (staging, size, algorithms) = (transfer.staging, size, target.algorithms)
    let known = (record.parts ?? ByteRanges(0..<size)).clamped(to: 0..<size - 1)
    do {
      let file = try await transfer.fileQueue.runStoppably { stop in
        try staging.resumeParts(
          name: record.file, inode: record.inode, size: size, of: known, hashedBy: algorithms,
          until: stop)
      }
      guard let file, !file.written.isEmpty else { return nil }
      return file
    } catch let error as CancellationError {
      throw error
    } catch {
      return nil  // what can't be read is fetched
    }
  }

  /// The transfer failed: what is worth it is kept for the next run, the rest removed.
  /// - Returns: the error to tell: what the disk has failed with goes before one of the network's.
  func letGo(after error: any Error) async -> any Error {
    let isKept = error is CancellationError || error is TransportError
    let failure = state.withLock { $0.file }?.failure
    guard isKept, failure == nil else {
      await discard()
      return error is TransportError ? failure ?? error : error
    }
    do {
      try await transfer.fileQueue.run { try self.keep() }
      return error
    } catch let failure {
      await discard()
      return error is TransportError ? failure : error
    }
  }

  private func keep() throws {
    guard let file = state.withLock({ $0.file }) else { return }
    try file.settle()
    let (carried, known) = state.withLock { ($0.carried, $0.keeper) }
    guard let slot, carried > 0 || file.written.count >= PartialFiles.worthKeeping,
      let record = record(of: file)
    else {
      _ = remove()
      return
    }
    let keeper = known ?? makeKeeper(slot)
    // One that can't be written leaves what the old one says.
    if file.written.count > carried { try? keeper.close(record, of: file.file) }
    keeper.abandon()
    file.suspend()
    state.withLock { $0.file = nil }
  }

  private func discard() async {
    _ = try? await transfer.fileQueue.run { _ = self.remove() }
  }

  /// Lets go of the file, all of which comes once more. Blocks.
  func takeBack() {
    let old = remove()
    tellProgress(done: -old.came, total: old.announced)
  }

  /// Lets go of the file and of what is remembered of it, and says what there was.
  private func remove() -> State {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.keeper?.abandon()
    old.file?.discard()
    if let slot { transfer.partials.remove(slot) }
    return old
  }

  private var slot: String? { target.identity?.slot }

  private func record(of file: StagedParts) -> PartialRecord? {
    guard let origin = state.withLock({ $0.origin }) else { return nil }
    let written = file.written
    return PartialRecord(
      file: file.name, inode: file.inode, locator: SHA256Digest(of: locator.utf8).description,
      place: origin.address.digest, validator: origin.validator.text, whole: size,
      flushed: written.prefix, savedAt: 0, parts: written)
  }

  private func makeKeeper(_ slot: String) -> PartialKeeper {
    PartialKeeper(transfer.partials, slot: slot, flushes: false, queue: transfer.flushQueue)
  }
}
