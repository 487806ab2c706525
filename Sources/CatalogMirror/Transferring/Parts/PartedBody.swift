import SyncFetching
import SyncFolder
import SyncLock
import SyncTransport

/// The file that several streams fetch, as they share it: what it is made of, and what is
/// remembered of it for the next run.
///
/// All parts are of one state: each is taken only from a 206 with the very range that was asked
/// for, of a whole of the catalog's size, under the strong validator of the first one, from the
/// same place.
final class PartedBody: Sendable {
  struct State {
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
  let state = Locked(State())

  /// How many more bytes call for a new record, which only it tells of what lies behind a gap.
  static let step: Int64 = 4 << 20

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

  /// How far it is hashed.
  var hashed: Int64 { state.withLock { $0.file }?.hashed ?? 0 }

  /// Waits until all that was handed over is hashed; see ``StagedParts/catchUp()``.
  func catchUp() async throws { try await state.withLock { $0.file }?.catchUp() }

  /// Ends the hashing, for good: the file won't be finished in this run.
  func hashNoMore() { state.withLock { $0.file }?.hashNoMore() }

  /// Waits until all that was handed over is in the file. Blocks.
  func settle() throws { try state.withLock { $0.file }?.settle() }

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
    let announced = try state.withLock { state in
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
      return announced
    }
    tellProgress(done: 0, total: -announced)
    return try openedFile()
  }

  private func openedFile() throws -> StagedParts {
    if let file = state.withLock({ $0.file }) { return file }
    let file = try transfer.staging.createParts(size: size, hashedBy: target.algorithms)
    return state.withLock { state in
      state.file = state.file ?? file
      return state.file ?? file
    }
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

  /// The whole file, and how much of it came in this run. Blocks; waits for nothing after
  /// ``catchUp()``.
  func finish() throws -> (Staged, received: Int64) {
    let (file, keeper) = state.withLock { ($0.file, $0.keeper.take()) }
    guard let file else { throw NeedsOnePiece() }
    try keeper?.end()
    if let slot { transfer.partials.remove(slot, but: file.name) }
    let (modified, carried) = state.withLock { ($0.modified, $0.carried) }
    let staged = try file.finish(modified: target.modified ?? modified)
    return (staged, size - carried)
  }

  func tellProgress(done: Int64, total: Int64) {
    guard done != 0 || total != 0 else { return }
    transfer.observer.update { progress in
      progress.bytesDone += done
      progress.bytesTotal += total
    }
  }
}
