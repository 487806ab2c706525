import SyncLock
import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// What becomes of what a server refuses.
final class ErrorPolicyTests: XCTestCase {
  private let rig = ReplicaRig()

  /// A replica whose document was edited to what the server refuses.
  private func refused(
    _ policy: ErrorPolicy, _ deciders: SyncDeciders = SyncDeciders()
  ) async throws -> (SyncedReplica, PickyEndpoint) {
    let endpoint = PickyEndpoint(rig.server.endpoint(named: "mine"))
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", onError: policy)]
    setting.deciders = deciders
    let mine = try await SyncedReplica(endpoint, rig.time, setting)
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await mine.save(milk, ["bad": 1])
    return (mine, endpoint)
  }

  private func asking(
    _ answer: @escaping @Sendable (RefusedChange) -> RefusalAnswer
  ) -> SyncDeciders {
    var deciders = SyncDeciders()
    deciders.refusal = { answer($0) }
    return deciders
  }

  func testItIsLeftUnlessSomebodySaysOtherwise() async throws {
    let (mine, endpoint) = try await refused(.leave)
    try await assertEqual(mine.sync().failures.map(\.name), ["milk"])
    try await mine.sync()
    try await assertEqual(mine.counts().setAside, 1)
    XCTAssertEqual(endpoint.refused.withLock { $0 }, ["milk"])
  }

  func testWhatIsResignedIsAsTheServerHasItAndTheEditIsLostAndTold() async throws {
    let (mine, _) = try await refused(.resign)
    let report = try await mine.sync()
    XCTAssertEqual(report.failures, [])
    XCTAssertEqual(report.lost.map(\.loss.value), [["bad": 1]])
    let (kept, lost) = try await (mine.get(milk), mine.store.read { try $0.lost() })
    XCTAssertEqual(kept, ["n": 1])
    XCTAssertEqual(lost.map(\.loss), report.lost.map(\.loss))
  }

  func testACallsPolicyComesBeforeTheTypes() async throws {
    let (mine, _) = try await refused(.leave)
    try await mine.sync(SyncWishes(onError: .resign))
    try await assertEqual(mine.get(milk), ["n": 1])
  }

  func testLaterSyncsTryAgainWithGrowingPausesAndNotForEver() async throws {
    let (mine, endpoint) = try await refused(.retry(atMost: 2))
    let steps: [(Duration, Int)] = [
      (.zero, 1), (.zero, 1), (.seconds(60), 2), (.seconds(60), 2), (.seconds(60), 3),
      (.seconds(864_000), 3),
    ]
    for (pause, tries) in steps {
      rig.time.advance(by: pause)
      try await mine.sync()
      XCTAssertEqual(endpoint.refused.withLock { $0.count }, tries, "\(pause)")
    }
    try await assertEqual(mine.counts().setAside, 1)
  }

  func testAnEditBeginsToCountAnew() async throws {
    let (mine, endpoint) = try await refused(.retry(atMost: 1))
    try await mine.sync()
    rig.time.advance(by: .seconds(60))
    try await mine.sync()
    try await mine.save(milk, ["bad": 2])
    try await mine.sync()
    XCTAssertEqual(endpoint.refused.withLock { $0.count }, 3)
    rig.time.advance(by: .seconds(60))
    try await mine.sync()
    XCTAssertEqual(endpoint.refused.withLock { $0.count }, 4)
  }

  func testWhoIsAskedSeesWhatWasRefusedAndMayResign() async throws {
    let asked = Locked<[RefusedChange]>([])
    let deciders = asking { change in
      asked.withLock { $0.append(change) }
      return .resign
    }
    let (mine, _) = try await refused(.ask, deciders)
    try await assertEqual(mine.sync().failures, [])
    let change = try XCTUnwrap(asked.withLock { $0 }.first)
    XCTAssertEqual(change.id, milk)
    XCTAssertEqual(change.content, ["bad": 1])
    XCTAssertEqual(change.status, 422)
    XCTAssertEqual(change.words, "it's bad")
    try await assertEqual(mine.get(milk), ["n": 1])
  }

  func testWhoIsAskedMayHaveItTriedAgainOnceASync() async throws {
    let (mine, endpoint) = try await refused(.ask, asking { _ in .tryAgain })
    try await assertEqual(mine.sync().failures.map(\.name), ["milk"])
    XCTAssertEqual(endpoint.refused.withLock { $0.count }, 2)
  }

  func testWhoIsAskedMayLeaveItAndWhereNobodyIsItIsLeft() async throws {
    for deciders in [asking { _ in .leave }, SyncDeciders()] {
      let (mine, _) = try await refused(.ask, deciders)
      try await assertEqual(mine.sync().failures.map(\.name), ["milk"])
      try await assertEqual(mine.counts().setAside, 1)
    }
  }
}
