import DocumentSync
import DocumentTesting
import TestSupport
import XCTest

/// Whoever follows the lists over a bad network knows in the end what the server has.
final class FollowingWalkTests: XCTestCase {
  func testWhoFollowsTheListsKnowsInTheEndWhatTheServerHas() async {
    for seed in UInt64(0)..<200 {
      let walk = FollowingWalk(seed: seed)
      for _ in 0..<60 { await walk.step() }
      await walk.rest()
      XCTAssertEqual(walk.known, walk.server.documents(in: "notes"), "seed \(seed)")
      XCTAssertEqual(walk.mistakes, [], "seed \(seed)")
    }
  }
}

/// Two that write and one that reads, by turns.
private final class FollowingWalk {
  let server: ReferenceServer
  private(set) var known: [DocumentID: ServerCopy] = [:]
  private(set) var mistakes: [String] = []
  private var random: SeededGenerator
  private var checkpoint: String?
  /// The list at hand: where it goes on, and what it named.
  private var list: (place: ChangesPlace, named: Set<DocumentID>)?
  private let reader: ReferenceEndpoint
  private let writers: [ReferenceEndpoint]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    server = ReferenceServer(manners: ServerManners(pageSize: 3))
    let accidents: [ServerFault] = [
      .befalls(.flush), .befalls(.backUp), .befalls(.restore), .befalls(.replacement),
      .befalls(.clockStep(.seconds(-100))), .befalls(.clockStep(.seconds(100))),
    ]
    writers = ["one", "two"].enumerated().map { [server] place, name in
      server.endpoint(named: name, faults: .seeded(seed * 10 + UInt64(place), oneIn: 3))
    }
    reader = server.endpoint(
      named: "reader",
      faults: .seeded(seed * 10 + 5, oneIn: 3, among: ServerFault.ordinary + accidents))
  }

  func step() async {
    if random.oneIn(2) { return await read() }
    await write(with: writers[Int.random(in: 0..<writers.count, using: &random)])
  }

  /// All goes well from now on.
  func rest() async {
    server.deliverLate()
    server.setFaults(.none, of: "reader")
    for _ in 0..<50 { await read() }
  }

  private func write(with writer: ReferenceEndpoint) async {
    let id = DocumentID("\(Int.random(in: 0..<8, using: &random))")
    let number = Int.random(in: 0..<1_000_000, using: &random)
    let body: DocumentValue = ["n": DocumentValue(number)]
    let key = "key \(number)"
    guard let held = server.documents(in: "notes")[id] else {
      _ = await writer.push(.create(id, body, in: "notes", key: key))
      return
    }
    let send =
      random.oneIn(3)
      ? PushRequest.delete(id, from: held.version, in: "notes", key: key)
      : .update(id, body, from: held.version, in: "notes", key: key)
    _ = await writer.push(send)
  }

  /// Reads one page.
  private func read() async {
    let place = list?.place ?? checkpoint.map { ChangesPlace.since($0) } ?? .beginning
    guard let reply = try? await reader.changes(in: "notes", from: place) else { return }
    switch reply.end {
    case .unchanged, .withoutLists: list = nil
    case .forgot: (list, checkpoint) = (nil, nil)
    case .page(let page): apply(page)
    }
  }

  private func apply(_ page: ChangePage) {
    var named = list?.named ?? []
    for change in page.documents {
      named.insert(change.id)
      known[change.id] = change.state.copy.map {
        ServerCopy(value: $0.value, version: $0.version, time: $0.time)
      }
    }
    if !page.unreadable.isEmpty { mistakes.append("\(page.unreadable)") }
    // What a list of everything told so far isn't all: only at its end does its checkpoint count.
    if page.extent == .changes || page.next == nil { checkpoint = page.checkpoint }
    list = page.next.map { (.page($0), named) }
    if page.next == nil, page.extent == .everything {
      known = known.filter { named.contains($0.key) }
    }
  }
}
