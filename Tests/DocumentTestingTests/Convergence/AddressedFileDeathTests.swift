import DocumentTesting
import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// A program dies while it takes a file to its address, or away, at each moment before and after
/// each of its calls; another one goes on with what it left on the disk.
final class AddressedFileDeathTests: XCTestCase {
  private let picture = Array("a picture".utf8)
  private let time = SyncedReplica.Time()

  func testNoFileIsLostAndNoAddressLeadsNowhereWhateverMomentItDiesAt() async throws {
    for isForeseen in [true, false] {
      for isRemoval in [false, true] {
        var last = 0
        while try await die(after: last, isForeseen: isForeseen, isRemoval: isRemoval) { last += 1 }
        XCTAssertGreaterThan(last, 5)
      }
    }
  }

  /// Answers whether the program died before it was done.
  private func die(after last: Int, isForeseen: Bool, isRemoval: Bool) async throws -> Bool {
    let claim = "after \(last), foreseen: \(isForeseen), removal: \(isRemoval)"
    let folder = try temporaryFolder()
    let (first, second) = (folder.appending(path: "a").path, folder.appending(path: "b").path)
    let shelf = AddressShelf(isForeseen: isForeseen)
    if isRemoval {
      let before = try await replica(shelf.endpoint(), first)
      try await attach(before)
      try await before.sync()
      try await before.store.edit { _ = try $0.detach("picture", of: milk) }
      await before.store.close()
    }
    let dying = DyingEndpoint(shelf.endpoint(), store: first, copy: second, last: last)
    let doomed = try await replica(dying, first)
    if !isRemoval { try await attach(doomed) }
    _ = try await doomed.trySync()
    await doomed.store.close()
    guard dying.isDead else { return false }
    let heir = try await replica(shelf.endpoint(), second)
    try await heir.sync()
    shelf.look()
    XCTAssertEqual(shelf.state.withLock { $0.faults }, [], claim)
    let contents = shelf.state.withLock { $0.contents }
    XCTAssertEqual(Array(contents.values), isRemoval ? [] : [picture], claim)
    XCTAssertEqual(
      shelf.member("picture")?.string, isRemoval ? "" : contents.keys.first, claim)
    try await assertEqual(heir.store.read { try $0.fileCounts() }, FileCounts(), claim)
    await heir.store.close()
    return true
  }

  private func attach(_ replica: SyncedReplica) async throws {
    try await replica.save(milk, ["n": 1])
    let facts = try await replica.store.files.keep(picture, named: "a.png")
    try await replica.store.edit { try $0.attach(facts, atAddressIn: "picture", of: milk) }
  }

  private func replica(
    _ endpoint: any DocumentEndpoint, _ path: String
  ) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.place = .file(path)
    return try await SyncedReplica(endpoint, time, setting)
  }
}
