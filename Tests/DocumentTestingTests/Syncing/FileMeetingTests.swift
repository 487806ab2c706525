import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Two replicas give one member different files.
final class FileMeetingTests: XCTestCase {
  private let rig = FileRig()

  func testTwoFilesForOneMemberAreNeverMixed() async throws {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: [.merge, .serverWins])]
    let here = try await SyncedReplica(rig.server.endpoint(named: "here"), rig.time, setting)
    let there = try await SyncedReplica(rig.server.endpoint(named: "there"), rig.time, setting)
    try await rig.attach(here, Array("first".utf8))
    for one in [here, there] { try await one.sync() }
    try await rig.attach(here, Array("mine".utf8), preview: Array("small".utf8))
    let theirs = try await rig.attach(there)
    for one in [there, here, there, here] { try await one.sync() }
    for one in [here, there] {
      try await assertEqual(rig.file(one), theirs)
      try await assertEqual(rig.content(one), rig.picture)
      try await assertEqual(rig.counts(one), FileCounts())
    }
    // What neither names any more isn't at the server either.
    XCTAssertEqual(rig.server.state.files.keys.map(\.digest), [theirs.content.digest])
  }
}
