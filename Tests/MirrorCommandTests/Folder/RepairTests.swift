import Foundation
import TestSupport
import XCTest

/// Files of ours that somebody else changed or removed.
final class RepairTests: MirrorTestCase {
  private let texts = ["a.txt": "aaaa", "b/b.txt": "bbbb", "c.txt": "cccc"]

  func testWhatWasNotLookedAtIsNotSaidToBeUnchanged() throws {
    let server = try publishedServer()
    let (url, sound) = (server.url + "catalog.ndjson", "no file was changed here, as far as")
    let unseen = "the files were not looked at"
    for command in ["sync", "plan"] {
      let looked = try mirror(command, url, copy.path)
      XCTAssertTrue(looked.printed.contains(sound), looked.printed)
      let trusted = try mirror(command, url, copy.path, "--trust-index")
      XCTAssertTrue(trusted.printed.contains(unseen), trusted.printed)
      XCTAssertFalse(trusted.printed.contains(sound), trusted.printed)
    }
    let verified = try mirror("verify", copy.path, "--include", "nothere")
    XCTAssertEqual(verified.end, .exited(0))
    XCTAssertEqual(verified.printed, "verified nothing: no file fits the filters\n")
  }

  func testAFileDeletedByHandComesBackFromAListing() throws {
    try publish(texts)
    let server = try serve(listing: .html)
    assertEnd(try sync(server.url), 0)
    try FileManager.default.removeItem(at: copy.appending(path: "a.txt"))
    assertEnd(try sync(server.url), 0)
    XCTAssertEqual(try copied(), texts)
  }

  func testAForeignFileInTheWayIsAdoptedWhenEqualAndDisplacedWhenNot() throws {
    try makeFolder(at: copy)
    try Data("aaaa".utf8).write(to: copy.appending(path: "a.txt"))
    try Data("mine".utf8).write(to: copy.appending(path: "c.txt"))
    try Data("not theirs".utf8).write(to: copy.appending(path: "other.txt"))
    try publish(texts)
    try publishCatalog()
    let server = try serve()

    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    XCTAssertEqual(try copied(), texts.merging(["other.txt": "not theirs"]) { $1 })
    XCTAssertEqual(try displaced(), ["mine"])
    XCTAssertFalse(try server.takeRequests().map(\.target).contains("/a.txt"))
  }

  func testVerifyFindsAByteThatChangedUnderTheSameDate() throws {
    _ = try publishedServer()
    assertEnd(try mirror("verify", copy.path), 0)
    let file = copy.appending(path: "a.txt")
    let date = try XCTUnwrap(
      file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate)
    try Data("aaXa".utf8).write(to: file)
    try setDate(date, of: file)

    let outcome = try mirror("verify", copy.path)
    assertEnd(outcome, 2)
    XCTAssertTrue("\(outcome)".contains("a.txt"), "\(outcome)")
    XCTAssertTrue(outcome.said.contains("(verify --repair)"), "\(outcome)")

    let repair = try mirror("verify", copy.path, "--repair")
    assertEnd(repair, 0)
    XCTAssertTrue(repair.printed.contains("1 repaired"), "\(repair)")
    XCTAssertFalse(repair.said.contains("(verify --repair)"), "\(repair)")
    XCTAssertEqual(try copied(), texts)
    XCTAssertEqual(try displaced(), ["aaXa"])
    assertEnd(try mirror("verify", copy.path), 0)
  }

  func testADamagedIndexIsToldOfInOneSentenceAndRebuiltBySync() throws {
    let server = try publishedServer()
    let index = copy.appending(path: ".mirror/index.sqlite")
    try Data("rubbish".utf8).write(to: index)
    assertRefused(try mirror("status", copy.path), 1, saying: "is damaged", "sync")
    assertRefused(
      try mirror("verify", copy.path), 1, saying: "is damaged", "sync", "(without --trust-index)")
    XCTAssertEqual(try Data(contentsOf: index), Data("rubbish".utf8))

    let outcome = try sync(server.url + "catalog.ndjson")
    assertEnd(outcome, 0)
    XCTAssertTrue(outcome.printed.contains(".mirror/index-damaged-"), "\(outcome)")
    XCTAssertTrue(outcome.printed.contains("3 adopted"), "\(outcome)")
    XCTAssertEqual(try server.takeRequests().map(\.target), ["/catalog.ndjson"])
  }

  func testACatalogThatWentBackIsRefusedUnlessThatIsMeant() throws {
    try publish(texts)
    let catalog = source.appending(path: "catalog.ndjson")
    let write = { (revision: Int, keys: [String]) in
      let lines = keys.map { "{\"key\":\"\($0)\"}\n" }.joined()
      let header = "{\"catalog\":1,\"complete\":true,\"revision\":\(revision)}\n"
      try Data((header + lines).utf8).write(to: catalog)
    }
    try write(2, ["a.txt", "c.txt"])
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    try write(1, ["a.txt"])
    assertRefused(
      try sync(server.url + "catalog.ndjson"), 1, saying: "from revision 2 to 1", "--allow-rollback"
    )
    let status = try mirror("status", copy.path).printed
    XCTAssertTrue(status.contains("allow it (--allow-rollback)."), status)
    XCTAssertEqual(try copied().keys.sorted(), ["a.txt", "c.txt"])
    assertEnd(try sync(server.url + "catalog.ndjson", ["--allow-rollback"]), 0)
    XCTAssertEqual(try copied().keys.sorted(), ["a.txt"])
  }

  private func publishedServer() throws -> NginxServer {
    try publish(texts)
    try publishCatalog()
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    XCTAssertEqual(try copied(), texts)
    _ = try server.takeRequests()
    return server
  }

  private func displaced() throws -> [String] {
    let files = try files(in: copy.appending(path: ".mirror/displaced"))
    return files.values.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}
