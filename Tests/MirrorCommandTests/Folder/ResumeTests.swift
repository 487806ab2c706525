import TestSupport
import Foundation
import XCTest

/// A run that ends in the middle of a file, against a real server.
final class ResumeTests: MirrorTestCase {
  private static let text = (0..<500_000).map { "line \($0)\n" }.joined()
  /// The server sends so much of the file and then next to nothing.
  private static let sent = 3 << 20
  private static let slow = NginxServer.Options(
    listing: .json,
    locations: ["location = /large { limit_rate_after \(sent); limit_rate 1k; }"])

  func testAfterAKillOrAnInterruptTheNextRunAsksForTheRest() throws {
    try publish(["large": Self.text])
    for signal in [SIGKILL, SIGTERM] {
      try? FileManager.default.removeItem(at: copy)
      let server = try serve(nil, Self.slow)
      let first = try start(["sync", server.url, copy.path])
      try waitUntil("most of it is there") { self.staged() >= Self.sent - (64 << 10) }
      try waitUntil("it is remembered") { self.hasRecord() || signal != SIGKILL }
      first.send(signal)
      _ = try first.end(within: .seconds(10))
      XCTAssertEqual(try copied(), [:])
      try server.restart(NginxServer.Options(listing: .json))
      _ = try server.takeRequests()

      let second = try mirror("sync", server.url, copy.path, "--json")
      assertEnd(second, 0)
      try assertCopyIsTrue()
      XCTAssertEqual(
        try server.takeRequests().filter { !$0.isListing }.map(\.status), [206], second.printed)
      let ended = second.printed.split(separator: "\n").last { $0.contains("\"ended\"") }
      let report = try JSONSerialization.jsonObject(with: Data((ended ?? "").utf8))
      let bytes = try XCTUnwrap((report as? [String: Any])?["bytes"] as? Int)
      XCTAssertLessThanOrEqual(bytes, Self.text.utf8.count - (1 << 20), "a part of it was there")
      XCTAssertEqual(staged(), 0)
      try server.stop()
    }
  }

  private var staging: URL { copy.appending(path: ".mirror/staging") }

  private func names() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: staging.path)) ?? []
  }

  private func hasRecord() -> Bool { names().contains { $0.hasPrefix("resume-") } }

  /// The size of the largest staged file.
  private func staged() -> Int {
    names().compactMap { name in
      let path = staging.appending(path: name).path
      return try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }.max() ?? 0
  }
}
