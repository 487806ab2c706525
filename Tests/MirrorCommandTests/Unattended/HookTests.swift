import Foundation
import TestSupport
import XCTest

/// What is run after a run, and what it means for the exit status.
final class HookTests: MirrorTestCase {
  private func told(_ name: String) throws -> [[String: Any]] {
    let text = try? readText(base.appending(path: name))
    return try (text ?? "").split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
  }

  func testAHookIsRunAfterAChangeAndAfterAFailureWithTheReport() throws {
    try publish(["a.txt": "a", "b.txt": "b"])
    let server = try serve(listing: .json)
    let hooks = [
      "--after-change", "cat >> changes; echo changed", "--after-failure", "cat >> failures",
      "--retries", "0",
    ]
    let first = try sync(server.url, hooks)
    assertEnd(first, 0)
    XCTAssertTrue(first.said.contains("changed\n"), "a hook's output is on standard error")
    XCTAssertFalse(first.printed.contains("changed"))
    let report = try XCTUnwrap(try told("changes").first)
    XCTAssertEqual(report["event"] as? String, "ended")
    XCTAssertEqual(report["added"] as? Int, 2)
    XCTAssertEqual(report["folder"] as? String, copy.path)
    XCTAssertEqual(report["catalog"] as? String, server.url)
    XCTAssertEqual(report["outcome"] as? String, "done")

    assertEnd(try sync(server.url, hooks), 0)
    XCTAssertEqual(try told("changes").count, 1, "nothing has changed")
    XCTAssertEqual(try told("failures").count, 0)
    try server.restart(NginxServer.Options())
    assertEnd(try sync(server.url, hooks), 1)
    XCTAssertEqual(try told("failures").first?["status"] as? Int, 1)
    assertEnd(try sync("http://127.0.0.1:1/", hooks), 3)
    XCTAssertEqual(try told("failures").last?["status"] as? Int, 3, "it couldn't even begin")
    XCTAssertEqual(try told("changes").count, 1)
  }

  func testAHookThatFailsMakesOnlyAGoodRunABadOne() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .json)
    let outcome = try sync(server.url, ["--after-change", "exit 7"])
    assertEnd(outcome, 1)
    XCTAssertTrue(
      outcome.said.contains("mirror: the hook after-change ended with status 7."), "\(outcome)")
    XCTAssertTrue(outcome.printed.contains("done: 1 added"), "\(outcome)")
    try server.restart(NginxServer.Options())
    try publish(["b.txt": "b"])
    let bad = try sync(
      server.url, ["--retries", "0", "--after-failure", "sleep 99", "--hook-timeout", "1s"])
    assertEnd(bad, 1)
    XCTAssertTrue(bad.said.contains("took longer than 1 s"), "\(bad)")
  }

  func testAMetricsFileIsWrittenWithTheRun() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .json)
    let file = base.appending(path: "mirror.prom")
    assertEnd(try sync(server.url, ["--metrics", file.path]), 0)
    let text = try readText(file)
    XCTAssertTrue(text.contains("mirror_last_run_items{mirror=\"\(copy.path)\"} 1\n"), text)
    // A file that was new at a run that found nothing new said 0.
    let other = base.appending(path: "other.prom")
    let unchanged = try sync(server.url, ["--metrics", other.path])
    XCTAssertTrue(unchanged.printed.contains("unchanged"), "\(unchanged)")
    let others = try readText(other)
    XCTAssertTrue(others.contains("mirror_last_run_items{mirror=\"\(copy.path)\"} 1\n"), others)
    let bad = try sync(server.url, ["--metrics", "/no/such/place"])
    assertEnd(bad, 1)
    XCTAssertTrue(bad.said.contains("'/no/such/place' can't be written"), "\(bad)")
  }
}
