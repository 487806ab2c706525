import Foundation
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// The notifications of runs while the main thread does something else.
final class UnpostedStatusTests: XCTestCase {
  private func post(_ text: Substring) -> UnpostedStatus.Post {
    UnpostedStatus.Post(isSyncing: text.first == "s", run: Int(text.dropFirst()) ?? 0)
  }

  /// `s1` and `e1`: run 1 starts and ends; `.`: the main queue has a moment.
  func testWholeUnpostedPairsAreLeftOutAndNeverTheLast() {
    let rows = [
      "s1 . e1 .": "s1 e1",
      "s1 e1": "s1 e1",
      "s1 e1 s2 e2 s3 e3": "s3 e3",
      "s1 e1 s2 e2 s3": "s3",
      "s1 . e1 s2 e2 s3 e3": "s1 e1 s3 e3",
      "s1 e1 . s2 e2 s3 e3 . . s4 e4": "s1 e1 s3 e3 s4 e4",
      "s1 e1 s2 . e2 . s3": "s2 e2 s3",
    ]
    for (steps, expected) in rows {
      var unposted = UnpostedStatus()
      var (posted, blocks) = ([UnpostedStatus.Post](), 0)
      func turn() {
        let (post, hasMore) = unposted.next()
        if let post { posted.append(post) }
        blocks = hasMore ? 1 : 0
      }
      for step in steps.split(separator: " ") {
        if step == "." { turn() } else if unposted.add(post(step)) { blocks += 1 }
        XCTAssertLessThanOrEqual(blocks, 1, steps)
      }
      while blocks > 0 { turn() }
      XCTAssertEqual(posted, expected.split(separator: " ").map(post), steps)
    }
  }

  func testARunThatEndsBeforeItsStartWasPostedIsPostedAsAPair() {
    var unposted = UnpostedStatus()
    XCTAssertTrue(unposted.add(post("s1")))
    XCTAssertFalse(unposted.add(post("e1")), "the main queue will ask")
    XCTAssertEqual(unposted.next().post, post("s1"))
    XCTAssertEqual(unposted.next().post, post("e1"))
    XCTAssertNil(unposted.next().post)
    XCTAssertTrue(unposted.add(post("s2")))
  }

  /// A server's main thread waits, as a rule: its runs left a block each on the main queue.
  func testOnABlockedMainThreadTheLastRunIsPostedAndTheOthersAreLeftOut() async throws {
    let (_, synchronizer) = makeSynchronizer(["a"])
    let posts = Locked<[String]>([])
    let isOver = expectation(description: "the last end is posted")
    let observer = NotificationCenter.default.addObserver(
      forName: .OneWaySynchronizerDidChangeSyncStatus, object: synchronizer, queue: nil
    ) { notification in
      let isSyncing = notification.userInfo?[SyncStatusKey.isSyncing] as? Bool ?? false
      let run = notification.userInfo?[SyncStatusKey.run] as? Int ?? 0
      posts.withLock { $0.append("\(isSyncing ? "s" : "e")\(run)") }
      if run == 50, !isSyncing { isOver.fulfill() }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let (isBlocked, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.main.async {
      isBlocked.signal()
      isDone.wait()
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isBlocked.wait()
        continuation.resume()
      }
    }
    for _ in 0..<50 { try await synchronizer.sync() }
    isDone.signal()
    await fulfillment(of: [isOver], timeout: 60)
    XCTAssertEqual(posts.withLock { $0 }, ["s50", "e50"])
  }
}
