import SyncLock
import SyncTransport
import SyncFolder
import SyncText
import SyncFetching

/// Writes a body into the ``Staging`` area as it comes, counts it, and joins the rest of a body
/// that was cut to its beginning.
///
/// A beginning comes from an attempt before, or from a run before: ``takeUp()``. Joined to it is
/// only what a 206 brings with the very range that was asked for, of the same whole, under the same
/// strong validator, from the same place. Where nothing like that comes, everything starts over.
final class StagingSink: ByteSink {
  struct Origin {
    var validator: StrongValidator
    var address: Address
    var whole: Int64?
  }

  /// Which address answered; its query is left out, which a redirect may sign anew each time.
  enum Address {
    case url(String)
    case digest(String)

    /// The digest of the address, under which it is remembered.
    var digest: String {
      switch self {
      case .url(let url): SHA256Digest(of: (URLReference(url)?.redacted ?? "").utf8).description
      case .digest(let digest): digest
      }
    }
  }

  struct State {
    var file: StagedFile?
    /// Bytes of the file that came in an earlier run.
    var carried: Int64 = 0
    /// What the progress was told of them.
    var announced: Int64 = 0
    /// Bytes that have come, and that are to come, of which the progress is told after the lock.
    var untold: (done: Int64, total: Int64) = (0, 0)
    /// `nil` when nothing can be joined to the file.
    var origin: Origin?
    var partEnd: Int64?
    var joinsParts: Bool
    var hasAskedForRest = false
    var keeper: PartialKeeper?
    /// At which count the keeper is told next.
    var nextNote = PartialFiles.worthKeeping
    var mediaType: String?
    /// When the bytes were last modified, as the last answer said.
    var modified: Double?
    /// What begins to come is called gzip, and may be so as the file itself.
    var start: GzipStart?

    var count: Int64 { file?.count ?? 0 }
  }

  let transfer: ItemTransfer
  let target: ItemTransfer.Target
  let locator: String
  let state: Locked<State>

  /// A sink for what the locator gives; `joinsParts` unless it has to come in one piece.
  init(
    _ transfer: ItemTransfer, _ target: ItemTransfer.Target, from locator: String,
    joinsParts: Bool
  ) {
    self.transfer = transfer
    self.target = target
    self.locator = locator
    state = Locked(State(joinsParts: joinsParts))
  }

  /// What begins to come is what is held, as the server says: none of it is needed.
  struct IsHeldAlready: Error {}

  func begin(_ answer: ByteAnswer) throws {
    if let known = target.question?.known, known.isOf(answer) { throw IsHeldAlready() }
    try changing { state in
      state.modified = answer.modified
      if let part = answer.part {
        try goOn(&state, with: part, of: answer)
      } else {
        state.start = try doubtfulStart(of: answer)
        try startOver(&state, with: answer)
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let note = try changing { state in
      let count = state.count + Int64(bytes.count)
      if let end = state.partEnd, count > end { throw ItemError.otherPart }
      if let size = target.size, count > size { throw ItemError.longerThanDeclared(size) }
      guard count <= max(transfer.maximumSize, target.size ?? 0) else {
        throw ItemError.largerThanAllowed(transfer.maximumSize)
      }
      try state.start?.take(bytes)
      try state.file?.write(bytes)
      state.untold.done += Int64(bytes.count)
      return count >= state.nextNote ? noteGrowth(&state) : nil
    }
    if let note { note.keeper.note(note.record, of: note.file) }
  }

  /// Runs `body` with the state, and then, outside the lock, tells the progress what has changed.
  func changing<Result>(_ body: (inout State) throws -> sending Result) rethrows -> Result {
    var untold = (done: Int64(0), total: Int64(0))
    defer {
      if untold != (0, 0) {
        transfer.observer.update { [untold] progress in
          progress.bytesDone += untold.done
          progress.bytesTotal += untold.total
        }
      }
    }
    return try state.withLock { state in
      defer { (untold, state.untold) = (state.untold, (0, 0)) }
      return try body(&state)
    }
  }

  /// Holds what came against what was to come. A short body is a passing failure: the server may be
  /// in the middle of replacing the file.
  func check(_ answer: ByteAnswer) throws {
    try state.withLock { state in
      try state.start?.end()
      var wanted = state.partEnd ?? 0
      if state.count >= wanted, let size = target.size, state.count < size {
        // Where the end is vouched for, the server takes this for the whole, and has no rest.
        if answer.isFramed { state.origin = nil }
        wanted = size
      }
      guard state.count < wanted else { return }
      throw TransportError.shortBody(of: answer, state.count, of: wanted)
    }
  }

  /// Whether ``finish()`` writes and flushes nothing and waits for nobody.
  var isSmall: Bool {
    let waits = state.withLock { $0.keeper != nil || $0.count >= StagedFile.worthGathering }
    return !waits && transfer.staging.durability != .file
  }

  /// The whole file, and how much of it came in this run. Blocks, unless it is small; belongs on a
  /// queue then.
  func finish() throws -> (Staged, received: Int64) {
    try state.withLock { state in
      let file = try state.file ?? create()
      try state.keeper?.end()
      state.keeper = nil
      if let slot { transfer.partials.remove(slot, but: file.name) }
      state.file = nil
      let staged = try file.finish(modified: target.modified ?? state.modified)
      return (staged, file.count - state.carried)
    }
  }

  /// What the last whole was said to be, such as `image/png`.
  var mediaType: String? { state.withLock { $0.mediaType } }

  /// The slot of the partial file; `nil` where none is or may be kept.
  var slot: String? { transfer.partials.isEmpty ? nil : target.identity?.slot }

  private func create() throws -> StagedFile {
    try transfer.staging.create(hashedBy: target.algorithms)
  }

  /// Refuses what nothing vouches for, and gives what the first bytes have to show for it.
  private func doubtfulStart(of answer: ByteAnswer) throws -> GzipStart? {
    let isVouchedFor = target.size != nil || target.isProven
    let isPackedItself = target.isPackedItself(answer.declaredLength)
    guard answer.isFramed || isVouchedFor || isPackedItself || transfer.allowsUnframed else {
      throw ItemError.unframed
    }
    guard let coding = answer.contentCoding, !isVouchedFor, !transfer.allowsCoded else {
      return nil
    }
    if coding.isGzip, isPackedItself || target.isNamedGzip {
      return GzipStart(coding, mayBeOther: isPackedItself)
    }
    guard isPackedItself else { throw ItemError.coded(coding.description) }
    return nil
  }

  private func startOver(_ state: inout State, with answer: ByteAnswer) throws {
    takeBack(&state)
    if let file = state.file {
      try file.restart()
    } else {
      state.file = try create()
    }
    state.mediaType = answer.mediaType
    guard state.joinsParts, answer.hasParts, !answer.isCoded,
      let validator = StrongValidator(answer)
    else { return }
    state.origin = Origin(
      validator: validator, address: .url(answer.url), whole: answer.declaredLength)
  }

  /// Joins a part, if it is the right one.
  private func goOn(
    _ state: inout State, with part: ByteAnswer.Part, of answer: ByteAnswer
  ) throws {
    guard case .bytes(let range, let stated) = part, let origin = state.origin,
      range.lowerBound == state.count, !answer.isCoded,
      origin.validator.isOf(answer), origin.address.digest == Address.url(answer.url).digest,
      let whole = stated ?? target.size ?? origin.whole, range.upperBound == whole - 1,
      [stated, target.size, origin.whole].allSatisfy({ $0 == nil || $0 == whole }),
      answer.declaredLength.map({ $0 == whole - state.count }) ?? true
    else { throw ItemError.otherPart }
    state.partEnd = whole
    guard state.carried > state.announced, target.size != nil else { return }
    state.untold.total -= state.carried - state.announced
    state.announced = state.carried
  }
}
