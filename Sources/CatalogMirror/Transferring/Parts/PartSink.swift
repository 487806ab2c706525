import SyncFetching
import SyncFolder
import SyncLock
import SyncTransport

/// Takes one part of a file that comes in several, and has what is missing of it asked for again
/// where an attempt is cut.
final class PartSink: ByteSink {
  private let body: PartedBody
  private let range: Range<Int64>
  /// Held while it writes, which takes longer than anybody may wait who only asks.
  private let writer = Locked<PartWriter?>(nil)
  private let state: Locked<State>

  private struct State {
    /// How far the part has come.
    var place: Int64
    var hasAsked = false
  }

  init(_ body: PartedBody, _ range: Range<Int64>) {
    (self.body, self.range) = (body, range)
    state = Locked(State(place: range.lowerBound))
  }

  /// How far the part has come.
  var place: Int64 { state.withLock { $0.place } }

  var isWhole: Bool { place == range.upperBound }

  /// Whether it has been asked for.
  var hasAsked: Bool { state.withLock { $0.hasAsked } }

  /// What is missing; of a part that is there, and whose answer didn't end as it should, the last
  /// byte.
  private var missing: Range<Int64> { min(place, range.upperBound - 1)..<range.upperBound }

  /// What is to be asked for.
  func rest() -> ByteRequest.Rest {
    state.withLock { $0.hasAsked = true }
    return ByteRequest.Rest(missing, validator: body.validator)
  }

  func begin(_ answer: ByteAnswer) throws {
    let file = try body.join(answer, asked: missing)
    writer.withLock { $0 = $0 ?? file.part(at: range.lowerBound) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    // No byte is written twice: the first one is in the hash.
    if isWhole, bytes.count == 1 { return }
    guard place + Int64(bytes.count) <= range.upperBound else {
      throw PartedBody.NeedsOnePiece()
    }
    try writer.withLock { try $0?.write(bytes) }
    state.withLock { $0.place += Int64(bytes.count) }
    if isWhole { settle() }
    body.came(bytes.count)
  }

  /// Holds what came against what was to come.
  func check(_ answer: ByteAnswer) throws {
    settle()
    guard !isWhole else { return }
    throw TransportError.shortBody(
      of: answer, place - range.lowerBound, of: Int64(range.count))
  }

  /// Hands on what waits in memory.
  func settle() {
    writer.withLock { $0?.settle() }
  }
}

/// Takes the answer to the first request for a part: that part where the server does parts, and the
/// whole from one that doesn't.
final class FirstPartSink: ByteSink {
  enum Kind: Equatable, Sendable {
    case part
    case whole
  }

  let part: PartSink
  let whole: StagingSink
  private let body: PartedBody
  private let decision = Watched<Kind?>(nil)

  init(_ part: PartSink, of body: PartedBody) {
    (self.part, self.body) = (part, body)
    whole = StagingSink(body.transfer, body.target, from: body.locator, joinsParts: true)
  }

  /// What comes; `nil` before anything does.
  var kind: Kind? { decision.state }

  /// Waits until it is known what comes.
  func decided() async throws -> Kind { try await decision.wait { $0 } }

  func rest() -> ByteRequest.Rest? { kind == .whole ? whole.rest() : part.rest() }

  func begin(_ answer: ByteAnswer) throws {
    switch kind {
    case .part: try part.begin(answer)
    case .whole: try whole.begin(answer)
    case nil where answer.part != nil:
      try part.begin(answer)
      decision.change { $0 = .part }
    case nil:
      // Of another version than what an earlier run left, if it left anything.
      body.takeBack()
      try whole.begin(answer)
      decision.change { $0 = .whole }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if kind == .whole { try whole.write(bytes) } else { try part.write(bytes) }
  }

  func check(_ answer: ByteAnswer) throws {
    if kind == .whole { try whole.check(answer) } else { try part.check(answer) }
  }
}
