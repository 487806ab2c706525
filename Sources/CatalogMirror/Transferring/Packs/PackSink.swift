import SyncFetching
import SyncFolder
import SyncLock
import SyncText
import SyncTransport

/// Takes a part of a pack apart while it comes: each file in it is staged by itself once it is
/// whole, and checked by the digest of each item that is to have it.
final class PackSink: ByteSink {
  /// All that was wanted has come, and what follows isn't.
  struct HasAll: Error {}

  private struct State {
    /// The places of the pieces that are still to come, in their order.
    var pieces: ArraySlice<Int>
    /// Whether the next attempt asks for all of the pack.
    var asksForWhole: Bool
    var cutter: PackCutter
    /// Where what comes ends.
    var end: Int64 = 0
    /// What has come of the piece that is coming: files in packs are small.
    var start: [UInt8] = []
    /// How many answers have begun.
    var begun = 0
    /// Whether the last of them has brought a file.
    var hasBrought = false
  }

  /// A piece that has come whole: bytes that came before, and some of those that come now.
  private struct Whole {
    let piece: Int
    let start: [UInt8]
    let end: Range<Int>
  }

  private let streams: PackStreams
  private let order: PackDesk.Order
  private let request: PackPlan.Request
  private let pack: ListedPacks.Pack
  private let state: Locked<State>

  init(_ streams: PackStreams, _ order: PackDesk.Order) {
    let plan = streams.plan
    (self.streams, self.order) = (streams, order)
    request = plan.requests[order.request]
    pack = plan.packs[request.pack]
    state = Locked(
      State(
        pieces: ArraySlice(request.pieces), asksForWhole: plan.isWhole(request),
        cutter: PackCutter([], from: 0)))
  }

  /// The places of the pieces that haven't come.
  var missing: [Int] { state.withLock { Array($0.pieces) } }

  /// The part that is asked for; `nil` for all of the pack. Where an answer broke behind all that
  /// was wanted, the least that can be.
  func part() -> ByteRequest.Rest? {
    state.withLock { state in
      state.asksForWhole ? nil : ByteRequest.Rest(range(of: state) ?? 0..<1)
    }
  }

  private func range(of state: State) -> Range<Int64>? {
    guard let first = state.pieces.first, let last = state.pieces.last else { return nil }
    let pieces = streams.plan.pieces
    return pieces[first].bytes.lowerBound..<pieces[last].bytes.upperBound
  }

  func begin(_ answer: ByteAnswer) throws {
    let (asked, begun, hasAll) = state.withLock { state in
      (state.start, state.hasBrought) = ([], false)
      state.begun += 1
      let asked = state.asksForWhole ? nil : range(of: state)
      return (asked, state.begun, state.pieces.isEmpty)
    }
    if hasAll { throw HasAll() }
    guard begun <= 2 else { throw PackProblem.broke }
    if let coding = answer.contentCoding { throw PackProblem.coded(coding.description) }
    if let part = answer.part {
      guard let asked, case .bytes(let range, let whole) = part,
        range == asked.lowerBound...asked.upperBound - 1, whole ?? pack.size == pack.size,
        answer.declaredLength ?? Int64(asked.count) == asked.count
      else { throw PackProblem.otherPart }
      return start(with: nil, asked)
    }
    if let length = answer.declaredLength, length != pack.size {
      throw PackProblem.otherSize(length)
    }
    guard asked != nil else { return start(with: nil, 0..<pack.size) }
    guard let all = streams.takeWhole(order, for: missing) else { throw PackProblem.unasked }
    start(with: all, 0..<pack.size)
  }

  /// These bytes come now.
  private func start(with pieces: [Int]?, _ bytes: Range<Int64>) {
    state.withLock { state in
      state.pieces = pieces.map { $0[...] } ?? state.pieces
      // What broke is gone on with, be it in its last piece.
      state.asksForWhole = false
      state.end = bytes.upperBound
      state.cutter = PackCutter(
        state.pieces.map { ($0, streams.plan.pieces[$0].bytes) }, from: bytes.lowerBound)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let (wholes, hasAll) = state.withLock { cut(bytes, &$0) }
    var harvest = PackDesk.Harvest()
    let staging = Result { for whole in wholes { try stage(whole, of: bytes, into: &harvest) } }
    let differsTooOften = harvest.isEmpty ? false : streams.came(harvest, for: order)
    try staging.get()
    if differsTooOften { throw PackProblem.differs }
    if hasAll { throw HasAll() }
  }

  /// The pieces that are whole with these bytes, and whether nothing of what follows is wanted, and
  /// it is too much to let it come.
  private func cut(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> ([Whole], Bool) {
    var (wholes, start): ([Whole], Int) = ([], 0)
    while let cut = state.cutter.cut(bytes.count, from: start) {
      start = cut.bytes.upperBound
      if cut.isLast {
        wholes.append(Whole(piece: cut.piece, start: state.start, end: cut.bytes))
        state.start = []
      } else {
        state.start += bytes[cut.bytes]
      }
    }
    let left = state.end - state.cutter.position
    return (wholes, state.cutter.isDone && (left < 0 || left > PackPlan.widestGap))
  }

  /// Stages a piece, one copy after the other: of very many, only one is open at a time.
  private func stage(
    _ whole: Whole, of bytes: UnsafeRawBufferPointer, into harvest: inout PackDesk.Harvest
  ) throws {
    let end = UnsafeRawBufferPointer(rebasing: bytes[whole.end])
    var (files, differing): ([(copy: Int, staged: Staged)], [Int]) = ([], [])
    var digest: SHA256Digest?
    do {
      for copy in streams.plan.copies(of: whole.piece) {
        let (wanted, modified) = streams.wanted(of: copy)
        guard digest == nil || digest == wanted else {
          differing.append(copy)
          continue
        }
        let file = try stage(whole.start, end, modified: modified)
        digest = file.sha256
        if file.sha256 == wanted {
          files.append((copy, file))
        } else {
          streams.staging.discard(file)
          differing.append(copy)
        }
      }
    } catch {
      for (_, file) in files { streams.staging.discard(file) }
      throw error
    }
    harvest.files += files
    harvest.differing += differing
    harvest.answers += came(anyFile: !files.isEmpty)
  }

  private func stage(
    _ start: [UInt8], _ end: UnsafeRawBufferPointer, modified: Double?
  ) throws -> Staged {
    let file = try streams.staging.create()
    if !start.isEmpty { try start.withUnsafeBytes { try file.write($0) } }
    try file.write(end)
    return try file.finish(modified: modified)
  }

  /// The first of the pieces that are missing has come.
  /// - Returns: how many answers brought their first file with it: 1 or 0.
  private func came(anyFile hasFile: Bool) -> Int {
    state.withLock { state in
      state.pieces.removeFirst()
      defer { state.hasBrought = state.hasBrought || hasFile }
      return hasFile && !state.hasBrought ? 1 : 0
    }
  }

  /// Holds what came against what was to come; a short body may be longer the next time.
  func check(_ answer: ByteAnswer) throws {
    if missing.isEmpty { return }
    throw TransportError(.shortBody, at: URLReference(answer.url)?.redacted ?? "the pack")
  }
}
