import Foundation
import TestSupport
import XCTest

/// `mirror sums` writes what the index knows of the files' digests.
final class SumsCommandTests: MirrorTestCase {
  private let files = ["a.txt": "a", "b/ c.txt": "c", "é": "accent", "-": "dash"]

  func testTheListIsCheckedByTheProgramThatWritesSuch() throws {
    try publish(files)
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    let sums = try mirror("sums", copy.path)
    assertEnd(sums, 0)
    let list = base.appending(path: "SHA256SUMS")
    let written = try mirror("sums", copy.path, "--output", list.path)
    assertEnd(written, 0)
    XCTAssertEqual(written.printed, "written: the digests of 4 files\n")
    XCTAssertEqual(try readText(list), sums.printed)
    let check = { [copy] in
      let sha256sum = try self.start(
        ["-C", copy.path, "sha256sum", "--check", "--strict", list.path],
        program: try Programs.find("env"))
      _ = try sha256sum.end(within: .seconds(30))
      return sha256sum
    }
    let all = try check()
    XCTAssertEqual(try all.end(within: .seconds(30)), .exited(0), all.printed + all.said)
    XCTAssertEqual(all.printed.split(separator: "\n").count, 4)
    // It claims nothing of the files: it doesn't look at them.
    try Data("A".utf8).write(to: copy.appending(path: "a.txt"))
    try assertEnd(mirror("sums", copy.path), 0)
    XCTAssertEqual(try check().end(within: .seconds(30)), .exited(1))
  }

  func testAnotherMirrorFollowsTheList() throws {
    try publish(files)
    assertEnd(try sync(try serve(listing: .json).url), 0)
    let list = copy.appending(path: "SHA256SUMS")
    assertEnd(try mirror("sums", copy.path, "--output", list.path), 0)
    let other = base.appending(path: "other")
    assertEnd(try mirror("sync", list.absoluteString, other.path), 0)
    let sums = try mirror("sums", other.path)
    XCTAssertEqual(sums.printed, try readText(list))
  }

  func testAFileThatWasAdoptedByItsDateHasNoDigestAndIsCounted() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try publish(["a.txt": "a", "b.txt": "b", "c.txt": "c"], dated: date)
    let server = try serve(listing: .json)
    try makeFolder(at: copy)
    for name in ["a.txt", "c.txt"] {
      let copied = copy.appending(path: name)
      try FileManager.default.copyItem(at: source.appending(path: name), to: copied)
      try setDate(date, of: copied)
    }
    assertEnd(try sync(server.url, ["--adopt", "size-date"]), 0)
    let sums = try mirror("sums", copy.path)
    assertEnd(sums, 2)
    XCTAssertTrue(sums.printed.hasSuffix("  b.txt\n"), "\(sums)")
    XCTAssertEqual(sums.printed.split(separator: "\n").count, 1)
    XCTAssertEqual(
      sums.said,
      """
      no SHA-256 is known of 2 files, as they were adopted by size and date: a.txt and others \
      (--json names all). 'mirror verify FOLDER --repair' reads them and records it.

      """)
    let lines = try mirror("sums", copy.path, "--json")
    assertEnd(lines, 2)
    XCTAssertTrue(lines.printed.contains(#""key":"c.txt"}"#), "\(lines)")
    XCTAssertTrue(lines.printed.contains(#""files":1,"undigested":2}"#), "\(lines)")
    let list = base.appending(path: "SHA256SUMS")
    assertEnd(try mirror("sums", copy.path, "--output", list.path), 2)
    XCTAssertEqual(try readText(list), sums.printed)
  }

  /// More than are read from the index at once.
  func testALongListIsTheOneThatSha256sumWrites() throws {
    var texts = ["*star": "a", " space ": "c", "ä": "d"]
    try publish(texts)
    for number in 0..<1_100 {
      texts["\(number)"] = "file \(number)"
      try Data("file \(number)".utf8).write(to: source.appending(path: "\(number)"))
    }
    let names = texts.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let program = try start(
      ["-C", source.path, "sha256sum", "--"] + names, program: try Programs.find("env"))
    XCTAssertEqual(try program.end(within: .seconds(60)), .exited(0), program.said)
    let list = source.appending(path: "SHA256SUMS")
    try Data(program.printed.utf8).write(to: list)
    assertEnd(try sync(list.absoluteString, ["--durability", "none"]), 0)
    let sums = try mirror("sums", copy.path)
    assertEnd(sums, 0)
    XCTAssertTrue(sums.printed == program.printed, "\(sums.printed.prefix(1_000))")
    let lines = try mirror("sums", copy.path, "--json")
    XCTAssertEqual(lines.printed.split(separator: "\n").count, texts.count + 1)
  }

  func testAnItemIsNotWrittenOver() throws {
    try publish(["SHA256SUMS": "not a list", "a.txt": "a"])
    assertEnd(try sync(try serve(listing: .json).url), 0)
    let list = copy.appending(path: "SHA256SUMS")
    let sums = try mirror("sums", copy.path, "--output", list.path)
    assertRefused(sums, 64, saying: "SHA256SUMS", "belongs to the mirror")
    XCTAssertEqual(try readText(list), "not a list")
    let index = copy.appending(path: ".mirror/index.sqlite")
    let before = try Data(contentsOf: index)
    let over = try mirror("sums", copy.path, "--output", index.path)
    assertRefused(over, 64, saying: "index.sqlite", "belongs to the mirror")
    XCTAssertEqual(try Data(contentsOf: index), before)
    assertRefused(try mirror("sums", base.path), 1, saying: "is no mirror yet")
  }
}
