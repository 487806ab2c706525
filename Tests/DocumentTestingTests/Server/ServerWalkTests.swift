import DocumentSync
import DocumentTesting
import TestSupport
import XCTest

/// Whatever is asked of a server, and whatever befalls it, what it has is what its witness says.
final class ServerWalkTests: XCTestCase {
  func testWhatAServerHasIsWhatItsWitnessSays() {
    for seed in UInt64(0)..<150 {
      var walk = ServerWalk(seed: seed)
      for step in 0..<80 {
        walk.step()
        if let problem = walk.problem() { return XCTFail("seed \(seed), step \(step): \(problem)") }
      }
    }
  }
}

private struct ServerWalk {
  private var random: SeededGenerator
  private var state: ServerState
  private var now: Int64 = 1_000_000
  private var backup: (state: ServerState.Backup, told: [DocumentID: Told]) = (
    ServerState().backup, [:]
  )
  /// What the witness says that there is.
  private var told: [DocumentID: Told] = [:]
  private var heard = 0
  private var surprise: String?

  private struct Told: Equatable {
    var value: DocumentValue
    var version: DocumentVersion
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var manners = ServerManners(pageSize: 3)
    if random.oneIn(3) { manners.stamps = .asTheClockSays }
    for feature in manners.capabilities.features.sorted(by: { "\($0)" < "\($1)" })
    where random.oneIn(5) && feature != .preconditions {
      manners.capabilities.features.remove(feature)
    }
    state = ServerState(manners: manners)
  }

  mutating func step() {
    if !random.oneIn(4) { now += Int64.random(in: 0...50, using: &random) }
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      state.clock.step(by: Int64.random(in: -2_000...2_000, using: &random))
    case 1 where random.oneIn(3): state.flush()
    case 2: backup = (state.backup, told)
    case 3 where random.oneIn(3): state.restore(backup.state)
    case 4: state.scramble(anyID(), in: "notes")
    case 5: state.mend(anyID(), in: "notes")
    default: ask()
    }
    listen()
  }

  private mutating func anyID() -> DocumentID {
    DocumentID("\(Int.random(in: 0..<4, using: &random))")
  }

  /// Asks for something, twice at times; a refusal must leave everything as it is.
  private mutating func ask() {
    let id = anyID()
    let held = state.document(id, in: "notes")?.version
    let version = random.oneIn(3) ? DocumentVersion("stale") : held ?? DocumentVersion("none")
    let body: DocumentValue = ["n": DocumentValue(Int.random(in: 0..<1_000, using: &random))]
    let key = "key \(Int.random(in: 0..<1_000_000, using: &random))"
    let sends: [PushRequest] = [
      .create(id, body, in: "notes", key: key),
      .update(id, body, from: version, in: "notes", key: key),
      .delete(id, from: version, in: "notes", key: key),
      .look(at: id, in: "notes"),
    ]
    let send = sends[Int.random(in: 0..<sends.count, using: &random)]
    let count = state.events.count
    let before = state.collections
    let answer = state.receive(send, from: "me", at: now)
    let isSuccess = (200...299).contains(answer.status)
    if !isSuccess || send.kind == .look, state.collections != before {
      surprise = "\(send) was answered \(answer) and had an effect"
    }
    if isSuccess, send.kind != .look, state.events.count != count + 1 {
      surprise = "\(send) was answered \(answer) without a witness"
    }
    guard random.oneIn(3) else { return }
    let after = state.events.count
    let again = state.receive(send, from: "me", at: now)
    if isSuccess, state.manners.capabilities.has(.idempotencyKeys),
      send.kind != .look && again != answer || state.events.count != after
    {
      surprise = "\(send) was answered \(answer), and then \(again)"
    }
  }

  /// Hears what the witness has to say.
  private mutating func listen() {
    for event in state.events[heard...] {
      switch event.deed {
      case .stored(let id, let value, let over, let version):
        check(id, over, version)
        told[id] = Told(value: value, version: version)
      case .removed(let id, let over, let version):
        check(id, over, version)
        told[id] = nil
      case .flushed, .replaced: told = [:]
      case .restored: told = backup.told
      }
    }
    heard = state.events.count
  }

  private mutating func check(
    _ id: DocumentID, _ over: DocumentVersion?, _ version: DocumentVersion
  ) {
    if told[id]?.version != over { surprise = "\(id) was written over something else" }
    if told[id]?.version == version { surprise = "\(id) has the version \(version) again" }
  }

  /// What doesn't fit.
  func problem() -> String? {
    if let surprise { return surprise }
    var there: [DocumentID: Told] = [:]
    for (id, document) in state.collections["notes"] ?? [:] {
      switch document.content {
      case .value(let value), .scrambled(let value):
        there[id] = Told(value: value, version: document.version)
      case .gone: break
      }
    }
    return there == told ? nil : "it has \(there), and its witness says \(told)"
  }
}
