import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// What a server has no more, and what stays since it would be too much at once.
final class HeldBackTests: XCTestCase {
  private let rig = ReplicaRig(ServerManners(pageSize: 2))
  private let ids = (0..<5).map { DocumentID("\($0)") }

  /// A replica of five documents, of which four were deleted elsewhere since.
  private func replica() async throws -> SyncedReplica {
    let here = try await rig.synced("here")
    let there = try await rig.synced("there")
    for id in ids { try await here.save(id, ["n": 1]) }
    try await here.sync()
    try await there.sync()
    for id in ids.dropLast() { try await there.delete(id) }
    try await there.sync()
    return here
  }

  private func heldBack(_ replica: SyncedReplica) async throws -> [Int] {
    try await replica.store.read { try $0.summary() }.heldBack.map(\.count)
  }

  private func reason(_ replica: SyncedReplica) async throws -> UnsentReason? {
    try await replica.store.read { [ids] in try $0.status(of: ids[0]) }?.reason
  }

  /// What the pages of such a list had named was told as too much to be removed.
  func testNothingOfAListWhoseEndDidNotComeIsHeldBack() async throws {
    let here = try await replica()
    rig.server.setFaults(.script([nil] + Array(repeating: .unreachable, count: 9)), of: "here")
    try await here.trySync()
    let scope = here.scope()
    let vanishing = try await here.store.sync { try $0.vanishing(in: scope) }
    XCTAssertEqual(vanishing.count, 2, "a page of it came")
    var (counts, why) = (try await heldBack(here), try await reason(here))
    XCTAssertEqual(counts, [])
    XCTAssertNil(why)
    rig.server.setFaults(.none, of: "here")
    try await here.sync(SyncWishes(overridesWait: true))
    (counts, why) = (try await heldBack(here), try await reason(here))
    XCTAssertEqual(counts, [4])
    XCTAssertEqual(why, .isHeldBack)
  }

  func testWhatIsHeldBackStaysSoWhenAPageOfALaterListNamesItAgain() async throws {
    let here = try await replica()
    try await here.sync()
    let page = PulledPage([DocumentChange(id: ids[0], state: .deleted(nil))])
    let scope = here.scope()
    _ = try await here.store.sync { try $0.listed(page, of: scope, MeetingRules()) }
    try await assertEqual(heldBack(here), [4])
  }
}
