import Foundation
import TestSupport
import XCTest

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
  }
#endif
