import Foundation
import TestSupport
import XCTest

/// Somebody took over a copy that rsync had made. A bit flipped in one of its files, and `verify`
/// said that every one was as it should be: nobody had read them when they were adopted.
final class AdoptedFilesTests: MirrorTestCase {
  private let texts = ["a.txt": "alpha", "b/c.txt": "gamma"]

  /// A source of these files, and a copy of them with their dates, as another tool made it.
  private func begin(_ kind: ListingServer.Kind? = nil) throws -> String {
    for folder in [source, copy] { try? FileManager.default.removeItem(at: folder) }
    try publish(texts)
    for path in texts.keys {
      let copied = copy.appending(path: path)
      try makeFolder(at: copied.deletingLastPathComponent())
      try FileManager.default.copyItem(at: source.appending(path: path), to: copied)
      try setDate(Self.longAgo, of: copied)
    }
    return try kind.map { try serve(by: $0).url } ?? serve(listing: .html).url
  }

  /// Changes a file of the copy as a disk does that fails: its size and date stay.
  private func flip(_ path: String, _ text: String) throws {
    let file = copy.appending(path: path)
    let date = try XCTUnwrap(
      file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate)
    try Data(text.utf8).write(to: file)
    try setDate(date, of: file)
  }

  func testAByteThatChangesInAnAdoptedFileIsFoundWhereverItsDateCameFrom() throws {
    for kind in [nil, .apache("FancyIndexing"), .lighttpd] as [ListingServer.Kind?] {
      let url = try begin(kind)
      let adopted = try sync(url)
      assertEnd(adopted, 0)
      XCTAssertTrue(adopted.printed.hasPrefix("done: 2 adopted"), "\(adopted)")
      let status = try mirror("status", copy.path).printed
      XCTAssertTrue(status.contains(" done: 2 adopted, "), status)
      let sound = try mirror("verify", copy.path)
      XCTAssertEqual(
        sound.printed, "verified: 2 files, 10 B read, all as they were recorded\n", "\(sound)")
      assertEnd(try mirror("sums", copy.path), 0)
      try flip("b/c.txt", "gamna")
      let found = try mirror("verify", copy.path)
      assertEnd(found, 2)
      XCTAssertTrue(found.said.contains("b/c.txt"), "\(found)")
      XCTAssertTrue(found.printed.contains("1 not as it should be, 1 as recorded"), "\(found)")
      assertEnd(try mirror("verify", copy.path, "--repair"), 0)
      XCTAssertEqual(try copied(), texts)
    }
  }

  func testWhatWasAdoptedUnreadIsToldUntilARepairRecordsIt() throws {
    let url = try begin()
    assertEnd(try sync(url, ["--adopt", "size-date"]), 0)
    let unread = try mirror("verify", copy.path)
    assertEnd(unread, 0)
    XCTAssertEqual(
      unread.printed,
      """
      verified: 2 files, 10 B read, 2 compared by size and date alone
      of 2 files no digest is recorded, as they were adopted by size and date, so that a changed \
      byte in them isn't noticed; 'mirror verify FOLDER --repair' records them as they are

      """)
    let line = try mirror("verify", copy.path, "--json").printed
    XCTAssertTrue(line.contains(#""undigested":2,"recorded":0"#), line)

    let repaired = try mirror("verify", copy.path, "--repair")
    assertEnd(repaired, 0)
    XCTAssertTrue(
      repaired.printed.contains("the digests of 2 files that had none are recorded now"),
      "\(repaired)")
    try flip("a.txt", "alpHa")
    let found = try mirror("verify", copy.path)
    assertEnd(found, 2)
    XCTAssertTrue(found.said.contains("a.txt"), "\(found)")
    assertEnd(try mirror("verify", copy.path, "--repair"), 0)
    XCTAssertEqual(try copied(), texts)
    assertEnd(try mirror("sums", copy.path), 0)
  }

  /// Without a digest, another date is all that tells; a sync goes by it, too.
  func testAnotherDateOfAFileThatWasAdoptedUnreadIsFound() throws {
    let url = try begin()
    assertEnd(try sync(url, ["--adopt", "size-date"]), 0)
    try flip("a.txt", "alpHa")
    try setDate(Self.longAgo + 1, of: copy.appending(path: "a.txt"))
    let found = try mirror("verify", copy.path)
    assertEnd(found, 2)
    XCTAssertTrue(found.said.contains("its size or date is another one"), "\(found)")
    XCTAssertTrue(
      found.printed.contains("1 not as it should be, 1 compared by size"), "\(found)")
    assertEnd(try mirror("verify", copy.path, "--repair"), 0)
    XCTAssertEqual(try copied(), texts)
  }

  func testAnAdoptedFileKeepsItsDate() throws {
    let url = try begin()
    let half = Self.longAgo + 0.5
    try setDate(half, of: copy.appending(path: "a.txt"))
    assertEnd(try sync(url), 0)
    let file = copy.appending(path: "a.txt")
    let date = try file.resourceValues(forKeys: [.contentModificationDateKey])
    XCTAssertEqual(date.contentModificationDate, half)
  }
}
