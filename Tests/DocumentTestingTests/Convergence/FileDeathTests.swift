import DocumentTesting
import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// A program dies while it sends or fetches files, at each moment before and after each of its
/// calls; another one goes on with what it left on the disk.
final class FileDeathTests: XCTestCase {
  private let picture = (0..<(FileRun.piece + 9)).map { UInt8(truncatingIfNeeded: $0 / 5) }
  private let small = Array("a picture".utf8)

  func testWhoGoesOnAfterADeathBringsEachFileOnce() async throws {
    for isSender in [true, false] {
      var last = 0
      while try await die(after: last, isSender: isSender) { last += 1 }
      XCTAssertGreaterThan(last, 8)
    }
  }

  /// Answers whether the program died before it was done.
  private func die(after last: Int, isSender: Bool) async throws -> Bool {
    let folder = try temporaryFolder()
    let (first, second) = (folder.appending(path: "a").path, folder.appending(path: "b").path)
    let server = ReferenceServer(manners: FileRig.manners)
    let time = SyncedReplica.Time()
    let dying = DyingEndpoint(
      server.endpoint(named: "mine"), store: first, copy: second, last: last)
    let doomed = try await replica(dying, first, time)
    let other = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    try await attach(isSender ? doomed : other)
    if !isSender { try await other.sync() }
    _ = try await doomed.trySync()
    await doomed.store.close()
    guard dying.isDead else { return false }
    let heir = try await replica(server.endpoint(named: "mine"), second, time)
    try await heir.sync()
    try await other.sync()
    for one in [heir, other] { try await check(one, "after \(last), sender: \(isSender)") }
    let stored = server.state.fileEvents.filter { if case .stored = $0 { true } else { false } }
    XCTAssertEqual(stored.count, 2, "after \(last): what was sent is sent once")
    await heir.store.close()
    return true
  }

  private func attach(_ replica: SyncedReplica) async throws {
    try await replica.save(milk, ["n": 1])
    let files = replica.store.files
    let file = FileReference(
      try await files.keep(picture, named: "a.png"),
      preview: try await files.keep(small, named: "s.png"))
    _ = try await replica.store.edit { try $0.attach(file, to: "picture", of: milk) }
  }

  private func check(_ replica: SyncedReplica, _ claim: String) async throws {
    let value = try await replica.get(milk)?["picture"]
    let file = try XCTUnwrap(value.flatMap { FileReference($0) }, claim)
    try await assertEqual(replica.store.files.bytes(of: file.content.digest), picture, claim)
    let preview = try XCTUnwrap(file.preview)
    try await assertEqual(replica.store.files.bytes(of: preview.digest), small, claim)
    try await assertEqual(replica.store.read { try $0.fileCounts() }, FileCounts(), claim)
  }

  private func replica(
    _ endpoint: any DocumentEndpoint, _ path: String, _ time: SyncedReplica.Time
  ) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.place = .file(path)
    return try await SyncedReplica(endpoint, time, setting)
  }
}
