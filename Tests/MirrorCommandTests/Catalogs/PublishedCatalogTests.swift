import Foundation
import SyncFiles
import SyncFolder
import TestSupport
import XCTest

/// A folder that `mirror publish` made a catalog of, mirrored.
final class PublishedCatalogTests: MirrorTestCase {
  func testASecondRunIsOneRequestAndSaysSo() throws {
    try publish(["a.txt": "a", "b/c d.txt": "cd", "b/é.txt": "e"])
    try publishCatalog()
    let server = try serve()

    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    XCTAssertEqual(try copied(), ["a.txt": "a", "b/c d.txt": "cd", "b/é.txt": "e"])
    XCTAssertEqual(try server.takeRequests().count, 4)

    let second = try sync(server.url + "catalog.ndjson")
    assertEnd(second, 0)
    XCTAssertEqual(
      try server.takeRequests().map(\.description), ["GET /catalog.ndjson 304"], "\(second)")
    XCTAssertTrue(second.printed.localizedCaseInsensitiveContains("unchanged"), "\(second)")
  }

  func testTheSameFolderPublishedTwiceGivesTheSameCatalog() throws {
    try publish(["a.txt": "a", "b.txt": "b"])
    try publishCatalog()
    let first = try Data(contentsOf: source.appending(path: "catalog.ndjson"))
    try publishCatalog()
    XCTAssertEqual(try Data(contentsOf: source.appending(path: "catalog.ndjson")), first)
  }

  /// Every mirror held it for an error: the same revision with another body.
  func testAnotherTitleIsFollowedAsAnyOtherChange() throws {
    try publish(["a.txt": "a", "b.txt": "b"])
    assertEnd(try mirror("publish", source.path), 0)
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    assertEnd(try mirror("publish", source.path, "--title", "Another"), 0)
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    assertEnd(try mirror("publish", source.path, "--title", "A third one"), 0)
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    XCTAssertEqual(try copied(), ["a.txt": "a", "b.txt": "b"])
  }

  func testASecondPublisherSaysWhoTheFirstOneIsAndChangesNothing() throws {
    try publish(["a.txt": "a"])
    let lock = try FolderLock.acquire(
      Array(".catalog.ndjson.mirror-lock".utf8),
      in: .open(userPath: source.path, [.reading, .directory], in: SystemFileSystem()),
      for: "catalog.ndjson", now: 1_795_211_244)
    let outcome = try mirror("publish", source.path)
    assertEnd(outcome, 75)
    XCTAssertTrue(
      outcome.said.contains("in use by process \(getpid()) since 2026-11-20"), outcome.said)
    XCTAssertTrue(outcome.said.contains("(--wait)"), outcome.said)
    XCTAssertNil(try files(in: source)["catalog.ndjson"])
    let waiting = try start(["publish", source.path, "--wait"])
    let waits = "in use by process \(getpid())"
    let deadline = Patience.end
    while !(waiting.printed + waiting.said).contains(waits), ContinuousClock.now < deadline {
      sched_yield()
    }
    XCTAssertTrue((waiting.printed + waiting.said).contains(waits), waiting.said)
    XCTAssertNil(try files(in: source)["catalog.ndjson"])
    lock.release()
    XCTAssertEqual(try waiting.end(within: .seconds(60)), .exited(0), waiting.said)
    XCTAssertNotNil(try files(in: source)["catalog.ndjson"])
  }

  func testACatalogOnAPipeOrStandardOutputIsWrittenThere() throws {
    try publish(["a.txt": "a"])
    let outcome = try mirror(
      "publish", source.path, "--output", "/dev/stdout", "--base", "https://h/", "--quiet")
    assertEnd(outcome, 0)
    XCTAssertTrue(outcome.printed.hasPrefix("{\"catalog\":1,"), outcome.printed)
    XCTAssertEqual(try files(in: source).keys.sorted(), ["a.txt"])
  }

  func testAFileThatIsntWhatTheCatalogSaysNeverReachesTheFolder() throws {
    try publish(["good.txt": "good", "bad.txt": "true"])
    try publishCatalog()
    let server = try serve()
    try publish(["bad.txt": "lies"])

    let outcome = try sync(server.url + "catalog.ndjson")
    assertEnd(outcome, 2)
    XCTAssertEqual(try copied(), ["good.txt": "good"])
    XCTAssertTrue(outcome.said.contains("bad.txt"), "\(outcome)")
  }

  func testPreviewsComeBeforeContentsAndGoWithTheirItems() throws {
    try publish([
      "one.txt": "one in full", "two.txt": "two in full", "small/one.txt.svg": "<1/>",
      "small/two.txt.svg": "<2/>",
    ])
    try publishCatalog("--previews", "small")
    let server = try serve()
    let catalog = server.url + "catalog.ndjson"

    assertEnd(try sync(catalog, ["--previews-only"]), 0)
    XCTAssertEqual(try copied(), [:])
    XCTAssertEqual(try previews(), ["<1/>", "<2/>"])
    assertEnd(try sync(catalog, ["--previews"]), 0)
    XCTAssertEqual(try copied(), ["one.txt": "one in full", "two.txt": "two in full"])

    try FileManager.default.removeItem(at: copy)
    _ = try server.takeRequests()
    assertEnd(try sync(catalog, ["--previews"]), 0)
    let targets = try server.takeRequests().map(\.target)
    XCTAssertEqual(targets.count, 5)
    XCTAssertEqual(Set(targets[1...2]), ["/small/one.txt.svg", "/small/two.txt.svg"])

    try withdraw("one.txt")
    try withdraw("small/one.txt.svg")
    try publishCatalog("--previews", "small")
    assertEnd(try sync(catalog, ["--previews"]), 0)
    XCTAssertEqual(try previews(), ["<2/>"])
  }

  private func previews() throws -> [String] {
    let files = try files(in: copy.appending(path: ".mirror/previews"))
    return files.values.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}

#if os(Linux)
  /// `mirror publish --watch` beside a mirror that follows it.
  final class WatchedFolderTests: MirrorTestCase {
    func testAFolderIsPublishedAsItChangesAndItsMirrorFollows() throws {
      try publish(["a.txt": "a"])
      let watcher = try start(["publish", source.path, "--watch"])
      func waitForCatalog(of count: Int) throws {
        try waitUntil("\(count) entries are published") {
          XCTAssertTrue(watcher.isRunning, watcher.said)
          return watcher.printed.contains("published: \(count) entr")
        }
      }
      try waitForCatalog(of: 1)
      let server = try serve()
      assertEnd(try sync(server.url + "catalog.ndjson"), 0)
      try publish(["b/c.txt": "b", "b/d.txt": "d"])
      try waitForCatalog(of: 3)
      assertEnd(try sync(server.url + "catalog.ndjson"), 0)
      try assertCopyIsTrue(except: ["catalog.ndjson"])
      watcher.send(SIGHUP)
      try waitUntil("it is published again") {
        watcher.printed.contains("unchanged: the folder has nothing new (3 entries")
      }
      watcher.send(SIGTERM)
      XCTAssertEqual(try watcher.end(within: .seconds(10)), .exited(130), watcher.said)
      XCTAssertFalse(watcher.said.contains("cancelled"), "a watch has no other end")
      XCTAssertEqual(watcher.printed.split(separator: "\n").count, 3, watcher.printed)
    }

    func testARemarkThatStaysTrueIsMadeOnce() throws {
      try publish(["a.txt": "a"])
      try publishCatalog()
      let watcher = try start(["publish", source.path, "--watch", "--output", "b.ndjson"])
      for count in 2...4 {
        try waitUntil("\(count) entries are published") {
          XCTAssertTrue(watcher.isRunning, watcher.said)
          return watcher.printed.contains("published: \(count) entr")
        }
        try publish(["new\(count).txt": "new"])
      }
      watcher.send(SIGTERM)
      XCTAssertEqual(try watcher.end(within: .seconds(10)), .exited(130), watcher.said)
      let remarks = watcher.said.components(separatedBy: "may see nothing new").count - 1
      XCTAssertEqual(remarks, 1, watcher.said)
    }
  }
#endif
