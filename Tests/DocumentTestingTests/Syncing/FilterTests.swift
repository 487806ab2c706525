import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A store that holds a part of a collection: what a filter lets through.
final class FilterTests: XCTestCase {
  func testOnlyWhatTheFilterLetsThroughComes() async throws {
    let rig = try await FilterRig()
    try await rig.say(tea, "closed")
    let here = try await rig.synced([milk, bread])
    try await assertEqual(rig.ids(here), ["milk", "bread"])
    try await rig.say(tea, "open")
    try await rig.say(eggs, "closed")
    try await here.sync()
    try await assertEqual(rig.ids(here), ["milk", "bread", "tea"])
  }

  func testWhatHasLeftIsSeenOnceADayAndNotToldAsDeleted() async throws {
    let rig = try await FilterRig()
    let here = try await rig.synced()
    try await rig.say(milk, "closed")
    try await rig.there.delete(bread)
    try await rig.there.sync()
    rig.rig.time.advance(by: .seconds(86_300))
    let report = try await here.sync()
    XCTAssertTrue(report.isQuiet, report.summary)
    try await assertEqual(rig.ids(here), ["milk", "bread", "eggs"])
    rig.rig.time.advance(by: .seconds(100))
    let later = try await here.sync()
    XCTAssertEqual(Set(later.received.map(\.id)), [milk, bread])
    XCTAssertTrue(later.received.allSatisfy { $0.hasLeftFilter && $0.isRemoval })
    XCTAssertEqual(later.conflicts, [])
    XCTAssertEqual(later.lost, [])
    try await assertEqual(rig.ids(here), ["eggs"])
    let life = try await here.store.read { try $0.life(of: milk) }
    XCTAssertEqual(
      life?.moments.last?.sentence,
      "the collection's filter didn't let it through any more, and its copy here was taken away;"
        + " it may be at the server")
    XCTAssertNotNil(rig.rig.documents[milk], "nobody was told that it's gone")
  }

  func testAListIsMadeOnceADayOrOnDemand() async throws {
    let rig = try await FilterRig(ServerManners())
    let here = try await rig.synced()
    func lists() -> Int {
      rig.rig.server.calls.filter { $0.caller == "here" && $0.kind == .changes }.count
    }
    let first = lists()
    try await here.sync()
    XCTAssertEqual(lists() - first, 1, "what is new")
    _ = try await rig.nextDay(here)
    XCTAssertEqual(lists() - first, 3, "what is new, and what there is")
    try await here.sync()
    XCTAssertEqual(lists() - first, 4)
    try await rig.say(milk, "closed")
    try await here.sync(SyncWishes(listsFilters: true))
    XCTAssertEqual(lists() - first, 6)
    try await assertEqual(rig.ids(here), ["bread", "eggs"])
    let part = try await here.store.read { try $0.summary() }.filtered.first
    XCTAssertEqual(part?.filter, FilterRig.open)
    XCTAssertEqual(part?.listed, Date(milliseconds: rig.rig.time.now))
  }

  func testWhatComesBackIsHereAgain() async throws {
    let rig = try await FilterRig()
    let here = try await rig.synced()
    try await rig.say(milk, "closed")
    _ = try await rig.nextDay(here)
    try await rig.say(milk, "open")
    let report = try await here.sync()
    XCTAssertEqual(report.received.map(\.id), [milk])
    try await assertEqual(rig.ids(here), ["milk", "bread", "eggs"])
  }

  /// It comes with the list of changes of the very sync that has sent it, or never.
  func testWhatTheFilterDoesNotLetThroughIsSentAndThenLeaves() async throws {
    let rig = try await FilterRig()
    let here = try await rig.synced([milk])
    try await here.save(tea, ["status": "closed"])
    let report = try await here.sync()
    XCTAssertEqual(report.sent.map(\.id), [tea])
    try await assertEqual(rig.ids(here), ["milk", "tea"])
    let later = try await rig.nextDay(here)
    XCTAssertEqual(later.received.map(\.id), [tea])
    XCTAssertEqual(later.received.map(\.hasLeftFilter), [true])
    XCTAssertEqual(rig.rig.documents[tea], ["status": "closed"])
    try await assertEqual(rig.ids(here), ["milk"])
  }

  /// A filter is asked for with each page; and another one is that of another collection.
  func testAnotherFilterIsAnotherListAndNoneIsTheWholeOne() async throws {
    let rig = try await FilterRig()
    for id in [milk, bread, eggs] { try await rig.say(id, "closed") }
    try await rig.say(tea, "open")
    var setting = FilterRig.setting(FilterRig.open)
    setting.place = .file(try temporaryStorePath())
    var held: [[String]] = []
    for filter in [FilterRig.open, FilterRig.closed, nil, FilterRig.open] {
      setting.collections = [SyncedCollection("notes", filter: filter)]
      let here = try await rig.rig.synced("here", .none, setting)
      try await here.sync()
      held.append(try await rig.ids(here))
      await here.store.close()
    }
    let all = ["milk", "bread", "eggs", "tea"]
    XCTAssertEqual(held, [["tea"], ["milk", "bread", "eggs"], all, ["tea"]])
  }

  /// There are no changes to ask for: each list is of all that the filter lets through.
  func testAServerWithoutChangesShowsEachTimeWhatHasLeft() async throws {
    var manners = ServerManners(pageSize: 2)
    manners.capabilities.features.subtract([.changes, .tombstones])
    let rig = try await FilterRig(manners)
    let here = try await rig.synced()
    try await rig.say(milk, "closed")
    let report = try await here.sync()
    XCTAssertEqual(report.received.map(\.hasLeftFilter), [true])
    try await assertEqual(rig.ids(here), ["bread", "eggs"])
    let before = await writes(here)
    try await here.sync()
    let after = await writes(here)
    XCTAssertEqual(after, before, "one more sync writes nothing")
  }

  private func writes(_ replica: SyncedReplica) async -> Int64 {
    (try? await replica.store.withConnection { $0.totalChanges }) ?? -1
  }
}
