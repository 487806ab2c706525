import Foundation
import TestSupport
import XCTest

/// A large file in several streams, against real servers.
final class StreamedFileTests: MirrorTestCase {
  private static let text = (0..<1_500_000).map { "line \($0)\n" }.joined()
  private var catalog: String { "catalog.ndjson" }

  private func publishText() throws {
    try publish(["large": Self.text])
    try publishCatalog()
  }

  private func statuses(_ requests: [NginxServer.Request]) -> [Int] {
    requests.filter { $0.target == "/large" }.map(\.status)
  }

  /// Copies the file anew.
  private func assertCopies(from url: String, _ options: [String], line: UInt = #line) throws {
    try? FileManager.default.removeItem(at: copy)
    let outcome = try sync(url + catalog, options + ["--json"])
    assertEnd(outcome, 0, line: line)
    XCTAssertEqual(try bytes(in: outcome), Self.text.utf8.count, line: line)
    try assertIsWhole(line: line)
  }

  private func assertIsWhole(line: UInt = #line) throws {
    let file = try Data(contentsOf: copy.appending(path: "large"))
    XCTAssertTrue(file.elementsEqual(Self.text.utf8), "other bytes", line: line)
  }

  private func bytes(in outcome: ProgramOutcome) throws -> Int {
    let ended = outcome.printed.split(separator: "\n").last { $0.contains("\"ended\"") }
    let report = try JSONSerialization.jsonObject(with: Data((ended ?? "").utf8))
    return try XCTUnwrap((report as? [String: Any])?["bytes"] as? Int)
  }

  func testAgainstRealServersPartsComeAndTheFileIsWhole() throws {
    try publishText()
    let nginx = try serve()
    for options in [["--streams", "4"], []] {
      try assertCopies(from: nginx.url, options)
      let answers = try statuses(nginx.takeRequests())
      XCTAssertEqual(Set(answers), [206], "\(options)")
      XCTAssertGreaterThan(answers.count, 2, "\(options)")
    }
    try assertCopies(from: nginx.url, ["--streams", "1"])
    XCTAssertEqual(try statuses(nginx.takeRequests()), [200])
    let apache = try serve(by: .apache(nil))
    try assertCopies(from: apache.url, ["--streams", "4"])
    let answers = try statuses(apache.takeRequests())
    XCTAssertEqual(Set(answers), [206])
    XCTAssertGreaterThan(answers.count, 2)
  }

  func testServersWithoutRangesAreAskedOnce() throws {
    try publishText()
    let nginx = try serve(
      nil, NginxServer.Options(locations: ["location = /large { max_ranges 0; }"]))
    try assertCopies(from: nginx.url, ["--streams", "4"])
    XCTAssertEqual(try statuses(nginx.takeRequests()), [200])
    let python = try serve(by: .python)
    try assertCopies(from: python.url, [])
    XCTAssertEqual(try statuses(python.takeRequests()), [200])
  }

  func testAfterAKillTheNextRunGoesOnWithTheParts() throws {
    try publishText()
    // Each part comes at once but for its end, which takes for ever.
    let slow = NginxServer.Options(
      locations: ["location = /large { limit_rate_after 3m; limit_rate 1k; }"])
    for signal in [SIGKILL, SIGTERM] {
      try? FileManager.default.removeItem(at: copy)
      let server = try serve(nil, slow)
      let first = try start(["sync", server.url + catalog, copy.path, "--streams", "4"])
      try waitUntil("parts are remembered") { try self.recordedParts().count >= 4 }
      let known = try recordedParts()
      first.send(signal)
      _ = try first.end(within: .seconds(10))
      XCTAssertFalse(
        FileManager.default.fileExists(atPath: copy.appending(path: "large").path))
      try server.restart(NginxServer.Options())
      _ = try server.takeRequests()
      let second = try sync(server.url + catalog, ["--streams", "4", "--json"])
      assertEnd(second, 0)
      try assertIsWhole()
      XCTAssertEqual(try Set(statuses(server.takeRequests())), [206])
      let held = stride(from: 0, to: known.count - 1, by: 2).reduce(0) {
        $0 + known[$1 + 1] - known[$1]
      }
      XCTAssertLessThanOrEqual(try bytes(in: second), Self.text.utf8.count - held)
      try server.stop()
    }
  }

  /// Where the parts begin and end that the record names.
  private func recordedParts() throws -> [Int] {
    let staging = copy.appending(path: ".mirror/staging")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: staging.path)) ?? []
    guard let name = names.first(where: { $0.hasPrefix("resume-") }),
      let text = try? String(contentsOf: staging.appending(path: name), encoding: .utf8),
      let json = text.split(separator: "\n").last,
      let record = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    else { return [] }
    return record["parts"] as? [Int] ?? []
  }
}
