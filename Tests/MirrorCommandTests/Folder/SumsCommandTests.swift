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

  func testAFileThatWasAdoptedByItsDateHasNoDigestAndIsNamed() throws {
    try publish(["a.txt": "a", "b.txt": "b"])
    let server = try serve(listing: .json)
    try makeFolder(at: copy)
    let (from, to) = (source.appending(path: "a.txt"), copy.appending(path: "a.txt"))
    try FileManager.default.copyItem(at: from, to: to)
    let date = try FileManager.default.attributesOfItem(atPath: from.path)[.modificationDate]
    let whole = (date as? Date).map {
      Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down))
    }
    for file in [from, to] {
      try FileManager.default.setAttributes(
        [.modificationDate: try XCTUnwrap(whole)], ofItemAtPath: file.path)
    }
    assertEnd(try sync(server.url, ["--adopt", "size-date"]), 0)
    let sums = try mirror("sums", copy.path)
    assertEnd(sums, 2)
    XCTAssertTrue(sums.printed.hasSuffix("  b.txt\n"), "\(sums)")
    XCTAssertEqual(sums.printed.split(separator: "\n").count, 1)
    XCTAssertTrue(sums.said.contains("a.txt: no SHA-256 is known"), "\(sums)")
    let lines = try mirror("sums", copy.path, "--json", "--quiet")
    assertEnd(lines, 2)
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
