import SyncFetching
import SyncFolder
import SyncLock
import SyncText
import SyncTransport

/// Takes a part of a pack apart while it comes: each file in it is staged by itself, and checked by
/// its own digest.
final class PackSink: ByteSink {
  /// All that was wanted has come, and what follows isn't.
  struct HasAll: Error {}

  private struct State {
    /// The places of the pieces that are still to come, in their order.
    var pieces: [Int]
    /// Whether the next attempt asks for all of the pack.
    var asksForWhole: Bool
    var cutter: PackCutter
    /// Where what comes ends.
    var end: Int64 = 0
    /// The piece that is coming, once for each who wants it.
    var files: [StagedFile] = []
    /// How many answers have begun.
    var begun = 0
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
        pieces: Array(request.pieces), asksForWhole: plan.isWhole(request),
        cutter: PackCutter([], from: 0)))
  }

  /// The places of the pieces that haven't come.
  var missing: [Int] { state.withLock { $0.pieces } }

  /// The part that is asked for; `nil` for all of the pack.
  func part() -> ByteRequest.Rest? {
    state.withLock { state in
      state.asksForWhole ? nil : range(of: state).map { ByteRequest.Rest($0) }
    }
  }

  private func range(of state: State) -> Range<Int64>? {
    guard let first = state.pieces.first, let last = state.pieces.last else { return nil }
    let pieces = streams.plan.pieces
    return pieces[first].bytes.lowerBound..<pieces[last].bytes.upperBound
  }

  func begin(_ answer: ByteAnswer) throws {
    let (asked, begun) = state.withLock { state in
      state.files = []  // which removes them
      state.begun += 1
      return (state.asksForWhole ? nil : range(of: state), state.begun)
    }
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
      state.pieces = pieces ?? state.pieces
      // What broke is gone on with, be it in its last piece.
      state.asksForWhole = false
      state.end = bytes.upperBound
      state.cutter = PackCutter(
        state.pieces.map { ($0, streams.plan.pieces[$0].bytes) }, from: bytes.lowerBound)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var harvest = PackDesk.Harvest()
    let cutting = Result { try state.withLock { try cut(bytes, into: &harvest, &$0) } }
    let differsTooOften = harvest.isEmpty ? false : streams.came(harvest, for: order)
    if try cutting.get() { throw HasAll() }
    if differsTooOften { throw PackProblem.differs }
  }

  /// Whether nothing of what follows is wanted, and it is too much to let it come.
  private func cut(
    _ bytes: UnsafeRawBufferPointer, into harvest: inout PackDesk.Harvest, _ state: inout State
  ) throws -> Bool {
    var start = 0
    while let cut = state.cutter.cut(bytes.count, from: start) {
      start = cut.bytes.upperBound
      try take(cut, of: UnsafeRawBufferPointer(rebasing: bytes[cut.bytes]), &state)
      guard cut.isLast else { continue }
      if let staged = try finish(cut.piece, &state) {
        harvest.files.append((cut.piece, staged))
      } else {
        harvest.differing.append(cut.piece)
      }
    }
    let left = state.end - state.cutter.position
    return state.cutter.isDone && (left < 0 || left > PackPlan.widestGap)
  }

  private func take(
    _ cut: PackCutter.Cut, of bytes: UnsafeRawBufferPointer, _ state: inout State
  ) throws {
    if cut.isFirst {
      state.files = try (0..<streams.plan.pieces[cut.piece].copies).map { _ in
        try streams.staging.create()
      }
    }
    for file in state.files { try file.write(bytes) }
  }

  /// The files of a piece that has come whole; `nil` where it has another digest.
  private func finish(_ piece: Int, _ state: inout State) throws -> [Staged]? {
    let (wanted, modified) = streams.wanted(of: piece)
    let staged = try state.files.map { try $0.finish(modified: modified) }
    state.files = []
    state.pieces.removeFirst()
    guard staged.contains(where: { $0.sha256 != wanted }) else { return staged }
    for file in staged { streams.staging.discard(file) }
    return nil
  }

  /// Holds what came against what was to come; a short body may be longer the next time.
  func check(_ answer: ByteAnswer) throws {
    guard !state.withLock({ $0.cutter.isDone }) else { return }
    throw TransportError(.shortBody, at: URLReference(answer.url)?.redacted ?? "the pack")
  }

  /// Lets go of the piece that was coming.
  func end() { state.withLock { $0.files = [] } }
}
