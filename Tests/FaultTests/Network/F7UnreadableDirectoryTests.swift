import Foundation
import TestSupport
import XCTest

/// F7: directories of a listing whose pages can't be had, behind a real nginx. Each speaks only for
/// itself: what is held below it stays, and the rest of the folder follows the source.
final class F7UnreadableDirectoryTests: FaultTestCase {
  private static let count = 14

  /// A page in the listing's place, wherever there is one.
  private static let withIndexes = "location / { index index.html; }"

  /// Fourteen folders, of which these have a page of their own.
  private func publish(withPage closed: Set<Int>) throws {
    for number in 0..<Self.count {
      try publish([
        "d\(number)/kept.txt": "kept \(number)", "d\(number)/in/deep.txt": "deep \(number)",
        "d\(number)/gone.txt": "gone \(number)",
      ])
      if closed.contains(number) { try close(number) }
    }
  }

  private func close(_ number: Int) throws {
    try publish(["d\(number)/index.html": "<html><body>Welcome</body></html>"])
  }

  func testF7_foldersWithAPageOfTheirOwnSpeakOnlyForThemselves() async throws {
    try publish(withPage: [])
    let server = try serve(
      nil, NginxServer.Options(listing: .html, locations: [Self.withIndexes]))
    assertEnd(try sync(server.url), 0)
    XCTAssertEqual(try copied().count, Self.count * 3)
    for number in [2, 5] { try close(number) }
    for number in 0..<Self.count where number != 3 { try withdraw("d\(number)/gone.txt") }
    try publish(["d7/new.txt": "new"])

    let first = try sync(server.url)
    assertRefused(
      first, 2, saying: "2 directories aren't read", "/d2/", "/d5/", "HTML page", inLines: 3)
    for name in ["/d2/", "/d5/"] {
      XCTAssertEqual(first.said.ranges(of: name).count, 1, "said once: \(first)")
    }
    XCTAssertTrue(first.printed.contains("1 added, 11 removed"), "\(first)")
    let copied = try copied()
    for number in 0..<Self.count {
      let stays = [2, 3, 5].contains(number)
      XCTAssertEqual(copied["d\(number)/gone.txt"], stays ? "gone \(number)" : nil)
      XCTAssertEqual(copied["d\(number)/in/deep.txt"], "deep \(number)")
    }
    try await assertNothingIsLost(of: versions(), "after the first run")
    try assertIsToldWithoutAlarm(server)
    try assertIsMendedBelow(server)
    try assertTellsAChange(server)
    try Extent.record(
      "F7", "folders of 14 with a page of their own behind nginx", count: 3,
      "what is held below stays, removals elsewhere go on; status 2 only when the set is new")
  }

  /// The same ones once more: told, but no failure, and nothing has changed.
  private func assertIsToldWithoutAlarm(_ server: NginxServer) throws {
    let second = try sync(server.url)
    assertEnd(second, 0)
    XCTAssertTrue(second.printed.contains("but for 2 directories that aren't read"), "\(second)")
    XCTAssertTrue(second.printed.contains("unchanged"), "the validators were kept: \(second)")
    XCTAssertEqual(second.said, "")
    let quiet = try sync(server.url, ["--quiet"])
    assertEnd(quiet, 0)
    XCTAssertEqual(quiet.printed + quiet.said, "")
    let status = try mirror("status", copy.path)
    XCTAssertTrue(status.printed.contains("unreadable  it gave an HTML page"), "\(status)")
    for name in ["d2", "d5"] {
      XCTAssertTrue(status.printed.contains("            \(server.url)\(name)/"), "\(status)")
    }
    let object = try JSONSerialization.jsonObject(
      with: Data(try mirror("status", copy.path, "--json").printed.utf8))
    let listed = (object as? [String: Any])?["unreadable"] as? [[String: String]]
    XCTAssertEqual(listed?.compactMap { $0["url"] }.count, 2, "\(object)")
  }

  /// What is damaged below is fetched from where it was.
  private func assertIsMendedBelow(_ server: NginxServer) throws {
    for round in 0..<2 {
      try FileManager.default.removeItem(at: copy.appending(path: "d2/kept.txt"))
      // Once with a listing that is as it was, once with another.
      if round == 1 { try publish(["d8/more.txt": "more"]) }
      assertEnd(try sync(server.url), 0)
      XCTAssertEqual(try copied()["d2/kept.txt"], "kept 2", "round \(round)")
    }
  }

  private func assertTellsAChange(_ server: NginxServer) throws {
    try withdraw("d5/index.html")
    try close(9)
    assertRefused(try sync(server.url), 2, saying: "2 directories", "/d2/", "/d9/", inLines: 3)
    XCTAssertNil(try copied()["d5/gone.txt"], "it can be read again")
    assertEnd(try sync(server.url), 0)
    for number in [2, 9] { try withdraw("d\(number)/index.html") }
    assertEnd(try sync(server.url), 0)
    try assertCopyIsTrue()
  }

  /// For every directory and every way in which its page can be missing.
  func testF7_aDirectoryWhosePageIsMissingSpeaksOnlyForItself() async throws {
    try publish(withPage: [])
    let open = NginxServer.Options(listing: .json)
    let server = try serve(nil, open)
    assertEnd(try sync(server.url), 0)
    let before = try copied()
    let ways = ["403", "404", "500", "200 'rubbish'", "444"]
    let paths = (0..<Self.count).flatMap { ["d\($0)/", "d\($0)/in/"] }
    let asked = Extent.asked == .full ? paths : Array(paths.prefix(6))
    for (number, path) in asked.enumerated() {
      let way = ways[number % ways.count]
      try server.restart(
        NginxServer.Options(listing: .json, locations: ["location = /\(path) { return \(way); }"]))
      let date = Self.longAgo.addingTimeInterval(Double(number))
      try publish(["other.txt": "\(number)"], dated: date)
      let outcome = try sync(server.url, ["--retries", "0", "--max-delete", "all"])
      assertRefused(outcome, 2, saying: "1 directory isn't read", "/\(path)")
      XCTAssertEqual(
        try copied(), before.merging(["other.txt": "\(number)"]) { $1 }, "\(path): \(way)")
    }
    try await assertNothingIsLost(of: versions(asked.count), "after pages were missing")
    try server.restart(open)
    assertEnd(try sync(server.url), 0)
    try assertCopyIsTrue()
    try Extent.record(
      "F7", "page of a directory missing, for every directory", count: asked.count,
      "what is held below counts as present, the rest follows the source")
  }

  /// What can't be read vouches for what lies below it, and for nothing beside it.
  func testF7_aListingOfNothingButAnUnreadableDirectoryIsAnEmptyOne() async throws {
    let forbidding = ["location = /bad/ { return 403; }"]
    let server = try serve(nil, NginxServer.Options(listing: .json))
    for count in [6, 1] {
      let texts = Dictionary(uniqueKeysWithValues: (0..<count).map { ("f\($0)", "text \($0)") })
      try publish(texts.merging(["bad/in.txt": "in"]) { $1 })
      try? FileManager.default.removeItem(at: copy)
      try server.restart(NginxServer.Options(listing: .json))
      assertEnd(try sync(server.url), 0)
      let before = try copied()
      for name in texts.keys { try withdraw(name) }
      try server.restart(NginxServer.Options(listing: .json, locations: forbidding))
      for options in [[], ["--max-delete", "100%"], ["--max-delete", "\(count)"]] {
        let (outcome, claim) = (try sync(server.url, options), "\(count) \(options)")
        XCTAssertEqual(outcome.end, .exited(3), "\(claim): \(outcome)")
        XCTAssertTrue(outcome.said.contains("the listing is empty"), "\(claim): \(outcome)")
        XCTAssertEqual(try copied(), before, claim)
      }
      try await assertNothingIsLost(of: Versions(before).all, "\(count)")
      assertEnd(try sync(server.url, ["--max-delete", "all"]), 0)
      XCTAssertEqual(try copied(), ["bad/in.txt": "in"], "\(count)")
    }
    try Extent.record(
      "F7", "a listing of nothing but a directory that can't be read", count: 6,
      "refused as an empty one with exit 3, nothing removed; with --max-delete all what it vouches "
        + "for stays")
  }

  private func versions(_ others: Int = 0) -> [String: Set<Data>] {
    var versions = Versions(["d7/new.txt": "new", "d8/more.txt": "more"])
    for number in 0..<Self.count {
      versions.add([
        "d\(number)/kept.txt": "kept \(number)", "d\(number)/in/deep.txt": "deep \(number)",
        "d\(number)/gone.txt": "gone \(number)",
      ])
    }
    for number in 0..<others { versions.add(["other.txt": "\(number)"]) }
    return versions.all
  }
}
