import SyncLock
import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A closure decides where both sides changed a document.
final class ConflictAskingTests: XCTestCase {
  private var rig = ReplicaRig()

  /// A replica that asks, and whose document others changed, too.
  private func disputed(
    theirs: DocumentValue? = ["a": 3],
    _ ask: @escaping @Sendable (DocumentConflict) async -> DocumentConflict.Resolution?
  ) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: [.ask])]
    setting.deciders.conflict = { _, conflict in await ask(conflict) }
    let here = try await rig.synced("here", .none, setting)
    let there = try await rig.synced("there")
    try await here.save(milk, ["a": 1])
    try await here.sync()
    try await there.sync()
    if let theirs { try await there.save(milk, theirs) } else { try await there.delete(milk) }
    try await there.sync()
    try await here.save(milk, ["a": 2])
    return here
  }

  func testItSeesAllThreeValuesAndWhatItAnswersIsSentByTheSameSync() async throws {
    let rows: [(DocumentConflict.Resolution, DocumentValue)] = [
      (.here, ["a": 2]), (.there, ["a": 3]), (.document(["a": 4]), ["a": 4]),
    ]
    for (resolution, expected) in rows {
      rig = ReplicaRig()
      let seen = Locked<DocumentConflict?>(nil)
      let here = try await disputed { conflict in
        seen.withLock { $0 = conflict }
        return resolution
      }
      let report = try await here.sync()
      let conflict = try XCTUnwrap(seen.withLock { $0 })
      XCTAssertEqual(
        [conflict.base?.value, conflict.here, conflict.there?.value],
        [["a": 1], ["a": 2], ["a": 3]])
      XCTAssertEqual(rig.documents[milk], expected, "\(resolution)")
      try await assertEqual(here.get(milk), expected)
      XCTAssertEqual(report.conflicts.map(\.isParked), [false])
      let counts = try await here.counts()
      XCTAssertEqual([counts.conflicts, counts.outbox], [0, 0])
    }
  }

  func testWhatItGivesUpIsTold() async throws {
    let here = try await disputed { _ in .there }
    try await assertEqual(here.sync().lost.map(\.loss.value), [["a": 2]])
  }

  func testWhatWasDeletedThereMayBeMadeAgain() async throws {
    let here = try await disputed(theirs: nil) { $0.there == nil ? .here : nil }
    try await here.sync()
    XCTAssertEqual(rig.documents[milk], ["a": 2])
  }

  func testWithoutAnAnswerItStaysOpenAndTheRestGoesOn() async throws {
    let here = try await disputed { _ in nil }
    try await here.save(DocumentID("bread"), ["n": 1])
    let report = try await here.sync()
    XCTAssertEqual(report.conflicts.map(\.isParked), [true])
    XCTAssertEqual(report.sent.map(\.id), [DocumentID("bread")])
  }

  func testAnAnswerAboutWhatWasEditedMeanwhileIsLeftOut() async throws {
    let replica = Locked<SyncedReplica?>(nil)
    let here = try await disputed { _ in
      _ = try? await replica.withLock { $0 }?.save(milk, ["a": 5])
      return .there
    }
    replica.withLock { $0 = here }
    let report = try await here.sync()
    replica.withLock { $0 = nil }
    try await assertEqual(here.get(milk), ["a": 5])
    XCTAssertEqual(report.lost, [])
  }
}
