import TestSupport
import XCTest

@testable import DocumentSync

/// Somebody signs in who has a document of an id that was made before, too: nothing of either is
/// lost.
final class DocumentMoveTests: SignedOutTestCase {
  private enum Made: String, CaseIterable { case synced, edited, created, stashed, deleted }

  /// A document that stands so, in a version of the server's.
  private func make(
    _ made: Made, _ content: DocumentValue, _ version: String, in scope: DocumentScope,
    _ store: DocumentStore
  ) async throws {
    let store = seen(store, by: scope)
    switch made {
    case .synced: try await store.makeSynced(milk, content, version, in: scope)
    case .edited:
      try await store.makeSynced(milk, ["n": 0], version, in: scope)
      try await store.save(DocumentEdit(milk, in: scope, content))
    case .created: try await store.save(DocumentEdit(milk, in: scope, content))
    case .stashed: try await store.stash(DocumentEdit(milk, in: scope, content))
    case .deleted:
      try await store.makeSynced(milk, content, version, in: scope)
      try await store.delete(milk)
    }
  }

  /// What ann has after she signed in, who had one and whose other one nobody made.
  private func met(
    _ own: Made, _ nobodys: Made, version: String = "1", way: Int = 0
  ) async throws -> (ann: DocumentStore, document: StoredDocument?) {
    let store = try await openStore(.memory)
    try await make(own, ["own": 1], "1", in: notes, store)
    try await make(nobodys, ["nobodys": 1], version, in: Self.nobody, store)
    try await enter(notes, store, way: way)
    let left = try await store.number("SELECT count(*) FROM documents")
    XCTAssertEqual(left, 1, "\(own) \(nobodys)")
    let ann = seen(store, by: notes)
    return (ann, try await ann.stored(milk))
  }

  private static let nobody = nobodys

  func testAChangeTakesThePlaceOfWhatTheServerHasAnyhow() async throws {
    for way in Self.ways.indices {
      for made in [Made.edited, .created, .stashed] {
        let (ann, document) = try await met(.synced, made, way: way)
        XCTAssertEqual(document?.body, ["nobodys": 1], made.rawValue)
        try await assertEqual(ann.lost(), [], made.rawValue)
        try await assertEqual(ann.ready(notes), made == .stashed ? [] : [milk])
        try await assertNil(ann.checkpoint(of: notes))
        let reason = try await ann.sync {
          try $0.comparison(of: notes, isOfEverything: true)?.reason
        }
        if made == .edited { XCTAssertEqual(reason, .forgotten) }
      }
    }
  }

  func testACopyOfTheServersGoesForTheAccountsOwn() async throws {
    for own in Made.allCases {
      let (ann, document) = try await met(own, .synced)
      XCTAssertEqual(document?.body, own == .deleted ? nil : ["own": 1], own.rawValue)
      try await assertEqual(ann.lost(), [], own.rawValue)
    }
  }

  func testWhereBothWereChangedTheAccountsOwnStaysAndTheOtherIsKept() async throws {
    for own in [Made.edited, .created, .stashed, .deleted] {
      for other in [Made.edited, .created, .stashed] {
        let (ann, document) = try await met(own, other)
        let what = "\(own) \(other)"
        XCTAssertEqual(document?.body, own == .deleted ? nil : ["own": 1], what)
        let lost = try await ann.lost()
        XCTAssertEqual(lost.map(\.loss.value), [["nobodys": 1]], what)
        XCTAssertEqual(lost.map(\.loss.reason), [.accountHadOne], what)
        try await assertEqual(ann.events()?.last, .takeoverGaveWay, what)
        let number = try XCTUnwrap(lost.first, what).number
        let id = try await ann.edit { try $0.restore(number, as: eggs) }
        try await assertEqual(ann.get(id), ["nobodys": 1], what)
      }
    }
  }

  func testADeletionIsOfTheVersionThatWasSeen() async throws {
    let (same, document) = try await met(.synced, .deleted)
    XCTAssertNil(document?.body)
    try await assertEqual(same.ready(notes), [milk])
    for (own, version) in [(Made.synced, "2"), (.edited, "1")] {
      let (ann, document) = try await met(own, .deleted, version: version)
      XCTAssertEqual(document?.body, ["own": 1])
      try await assertEqual(ann.lost(), [])
    }
  }

  func testKeptEditsOfAnotherAccountMeetTheOwnInTheSameWay() async throws {
    let store = try await openStore(.memory)
    for (id, own) in [(milk, Made.synced), (bread, .edited)] {
      try await seen(store, by: bobs).save(DocumentEdit(id, in: bobs, ["of": "bob"]))
      try await seen(store, by: notes).makeSynced(id, ["own": 1], in: notes)
      if own == .edited {
        try await seen(store, by: notes).save(edit(id, ["of": "ann"]))
      }
    }
    try await seen(store, by: bobs).makeSynced(eggs, ["of": "bob"], in: bobs)
    try await seen(store, by: notes).makeSynced(eggs, ["of": "ann"], in: notes)
    try await assertEqual(store.becomes("ann", .keep), .moves)
    let ann = seen(store, by: notes)
    let values = [try await ann.get(milk), try await ann.get(bread), try await ann.get(eggs)]
    XCTAssertEqual(values, [["of": "bob"], ["of": "ann"], ["of": "ann"]])
    try await assertEqual(ann.lost().map(\.id), [bread])
    try await assertEqual(ids(store, by: bobs), ["eggs"])
    try await assertEqual([ann.counts().outbox, store.counts().outbox], [2, 2])
  }

  /// What happened to nobody's comes behind what happened to the account's own.
  func testTheLivesAreJoined() async throws {
    let store = try await openStore(.memory)
    let ann = seen(store, by: notes)
    try await ann.makeSynced(milk, ["own": 1], in: notes)
    try await ann.save(edit(milk, ["own": 2]))
    try await ann.resign(milk)
    for n in 1...3 {
      try await seen(store, by: nobodys).stash(DocumentEdit(milk, in: nobodys, ["n": .init(n)]))
      try await seen(store, by: nobodys).save(DocumentEdit(milk, in: nobodys, ["m": .init(n)]))
    }
    try await enter(notes, store)
    let events = try await ann.events() ?? []
    XCTAssertEqual(events.dropFirst(2).first, .stashed(times: 1))
    XCTAssertTrue(events.contains(.resigned))
    let left = try await store.number("SELECT count(*) FROM traces WHERE owner <> 1")
    XCTAssertEqual(left, 0)
  }

  func testAFileThatWasNotSentForTheOneIsSentForTheOther() async throws {
    let store = try await openStore(.memory)
    try await make(.synced, ["own": 1], "1", in: notes, store)
    try await make(.synced, ["own": 1], "1", in: nobodys, store)
    try await addFile(milk, "down", loose: nil, in: notes, store)
    try await addFile(milk, "up", loose: nil, in: nobodys, store)
    try await enter(notes, store)
    let counts = try await seen(store, by: notes).read { try $0.fileCounts() }
    XCTAssertEqual(counts, FileCounts(up: 1))
  }

  func testFilesOfWhatGaveWayStayForAWhile() async throws {
    let store = try await openStore(.memory)
    try await make(.edited, ["own": 1], "1", in: notes, store)
    try await make(.created, ["nobodys": 1], "1", in: nobodys, store)
    try await addFile(milk, "up", loose: nil, in: nobodys, store)
    try await enter(notes, store)
    let kept = try await store.number(
      "SELECT count(*) FROM files WHERE owner = 1 AND state = 'dropped' AND loose IS NOT NULL")
    XCTAssertEqual(kept, 1)
  }
}
