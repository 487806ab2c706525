import CatalogMirror
import CatalogPublishing
import Foundation
import TestSupport
import XCTest
@testable import SyncText
@testable import SyncFolder

final class CatalogWriterTests: XCTestCase {
  private var folder = URL(filePath: "/")

  override func setUpWithError() throws {
    folder = try temporaryFolder()
  }

  private func write(_ path: String, _ text: String) throws {
    let file = folder.appending(path: path)
    try makeFolder(at: file.deletingLastPathComponent())
    try Data(text.utf8).write(to: file)
    try setDate(Date(timeIntervalSince1970: 1_795_211_244), of: file)
  }

  private func published() throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "catalog.ndjson")))
  }

  func testWhatIsPublishedIsReadBackAsTheSameEntries() throws {
    try write("b/ü \"?\" #.txt", "hello")
    try write("a.txt", "")
    try write("b.txt", "x")
    var options = CatalogWriter.Options()
    options.title = "My \"files\"\n"
    let report = try CatalogWriter(folder: folder.path, options: options).write()
    XCTAssertEqual(report.entries, 3)
    XCTAssertEqual(report.bytes, 6)
    let listing = try Golden.listing(
      Golden.body(try published(), "https://h/data/catalog.ndjson"))
    XCTAssertEqual(listing.completeness, .complete)
    XCTAssertEqual(listing.header.title, "My \"files\"\n")
    XCTAssertEqual(
      listing.entries.map(\.key), ["a.txt", "b.txt", "b/ü \"?\" #.txt"].map { CatalogKey($0) })
    let last = try XCTUnwrap(listing.entries.last)
    XCTAssertEqual(last.size, 5)
    XCTAssertEqual(last.sha256, Golden.hash("hello"))
    XCTAssertEqual(last.modified, 1_795_211_244)
    XCTAssertEqual(last.locators, ["https://h/data/b/%C3%BC%20%22%3F%22%20%23.txt"])
  }

  /// Directories of such a name were left out with all that lies in them.
  func testOfWhatIsRememberedBesideCatalogsOnlyFilesAreLeftOut() throws {
    for path in [
      ".x.mirror-state", "sub/.y.mirror-state", ".z.mirror-state/a", "sub/.mirror-state",
    ] {
      try write(path, "x")
    }
    XCTAssertEqual(try CatalogWriter(folder: folder.path).write().entries, 2)
    let listing = try Golden.listing(Golden.body(try published()))
    XCTAssertEqual(
      listing.entries.map(\.key), [".z.mirror-state/a", "sub/.mirror-state"].map { CatalogKey($0) })
  }

  func testWhatMirrorsKeepForThemselvesIsLeftOutWhereverTheyStand() throws {
    try write("a", "a")
    try write(".mirror/staging/x", "x")
    try write("sub/b", "b")
    try write("sub/.mirror/marker", "its own")
    try write("sub/.mirror/displaced/secret", "somebody's")
    try write("other/.mirror/c", "no mirror stands there")
    XCTAssertEqual(try CatalogWriter(folder: folder.path).write().skipped, [])
    let listing = try Golden.listing(
      Golden.body(try published(), "https://h/data/catalog.ndjson"))
    XCTAssertEqual(
      listing.entries.map(\.key), ["a", "other/.mirror/c", "sub/b"].map { CatalogKey($0) })
  }

  func testTheBytesOfACatalogAreTheseAndStayThese() throws {
    func file(_ path: String, modified: Int) throws -> PublishedFile {
      let path = try RelativePath(CatalogKey(path))
      return PublishedFile(
        path: path, size: 5, modified: modified, digest: SHA256Hasher().finish())
    }
    let entries = [
      PublishedEntry(
        file: try file("a \"ü\".txt", modified: 0), preview: try file("é .png", modified: 0)),
      PublishedEntry(file: try file("b", modified: .max)),
    ]
    let text = CatalogText(title: "\"A\\\n\u{1F}\u{7F}/", base: "./x", entries: entries)
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let lines = """
      {"key":"a \\"ü\\".txt","size":5,"sha256":"\(empty)","modified":"1970-01-01T00:00:00Z",\
      "preview":{"url":"./%C3%A9%20.png","size":5,"sha256":"\(empty)"}}
      {"key":"b","size":5,"sha256":"\(empty)"}

      """
    let header = """
      {"catalog":1,"title":"\\"A\\\\\\u000A\\u001F\u{7F}/",\
      "revision":1795211244,"count":2,"complete":true,"base":"./x"}

      """
    XCTAssertEqual(
      String(decoding: text.bytes(revision: 1_795_211_244), as: UTF8.self), header + lines)
  }

  func testAnUnchangedFolderGivesTheSameBytesAndTheFileIsLeftAlone() throws {
    try write("a", "1")
    let writer = CatalogWriter(folder: folder.path)
    XCTAssertTrue(try writer.write().wasReplaced)
    let first = try published()
    XCTAssertFalse(try writer.write().wasReplaced)
    XCTAssertEqual(try published(), first)
    try write("a", "2")
    XCTAssertTrue(try writer.write().wasReplaced)
    let second = try published()
    XCTAssertNotEqual(
      try Golden.listing(Golden.body(first)).header.revision,
      try Golden.listing(Golden.body(second)).header.revision)
  }

  func testLinksSpecialFilesAndBadNamesAreLeftOutAndReported() throws {
    try write("a", "1")
    try write(".mirror/index", "no")
    try write("back\\slash", "no")
    try write(".catalog.ndjson.1.partial", "left by a crash")
    try makeLink(at: folder.appending(path: "link").path, to: "/etc")
    try makeLink(at: folder.appending(path: "loop").path, to: ".")
    let fifo = Process()
    fifo.executableURL = URL(filePath: "/usr/bin/mkfifo")
    fifo.arguments = [folder.appending(path: "fifo").path]
    try fifo.run()
    fifo.waitUntilExit()
    let report = try CatalogWriter(folder: folder.path).write()
    XCTAssertEqual(report.entries, 1)
    XCTAssertEqual(report.skipped.map(\.name), ["back\\\\slash", "fifo", "link", "loop"])
    XCTAssertEqual(
      report.skipped.map(\.reason), [.key(.backslash), .fifo, .symbolicLink, .symbolicLink])
  }

  func testPreviewsAreEntriesOfTheirFilesAndNotOfTheirOwn() throws {
    try write("a/b.jpg", "picture")
    try write("previews/a/b.jpg.webp", "small")
    try write("previews/gone.jpg.webp", "orphan")
    var options = CatalogWriter.Options()
    options.previews = "previews"
    options.base = "https://cdn/files/"
    let report = try CatalogWriter(folder: folder.path, options: options).write()
    XCTAssertEqual([report.entries, report.previews], [1, 1])
    XCTAssertEqual(report.skipped.map(\.reason), [.previewOfNothing])
    let listing = try Golden.listing(Golden.body(try published()))
    let preview = try XCTUnwrap(listing.entries.first?.preview)
    XCTAssertEqual(preview.locator, "https://cdn/files/previews/a/b.jpg.webp")
    XCTAssertEqual(preview.sha256, Golden.hash("small"))
    XCTAssertEqual(listing.entries.first?.locators, ["https://cdn/files/a/b.jpg"])
  }

  func testAnEmptyFolderGivesACompleteCatalogOfNothing() throws {
    XCTAssertEqual(try CatalogWriter(folder: folder.path).write().entries, 0)
    let listing = try Golden.listing(Golden.body(try published()))
    XCTAssertEqual(listing.completeness, .complete)
    XCTAssertTrue(listing.entries.isEmpty)
  }

  func testAFolderThatIsNotThereAndOptionsThatCannotBeAreErrors() throws {
    XCTAssertThrowsError(try CatalogWriter(folder: folder.path + "/none").write()) { error in
      guard case .system = error as? PublishError else { return XCTFail("\(error)") }
    }
    let rows: [((inout CatalogWriter.Options) -> Void, PublishError.BadOption)] = [
      ({ $0.fileName = "a/b" }, .fileName("a/b")), ({ $0.fileName = ".." }, .fileName("..")),
      ({ $0.base = "https://h/x" }, .base), ({ $0.base = "relative/" }, .base),
      ({ $0.previews = "../p" }, .previews("../p")),
      ({ $0.previews = "nowhere" }, .previewsMissing("nowhere")),
      ({ $0.previews = "file/in" }, .previewsNoDirectory("file/in")),
      ({ $0.previews = "file" }, .previewsNoDirectory("file")),
      ({ $0.previews = "link" }, .previewsNoDirectory("link")),
      ({ $0.directory = "/proc" }, .baseMissing("/proc")),
      ({ $0.fileName = "file" }, .occupied("file")),
    ]
    try write("file", "no directory")
    try makeLink(at: folder.appending(path: "link").path, to: ".")
    for (change, problem) in rows {
      var options = CatalogWriter.Options()
      change(&options)
      assertThrows(
        PublishError.badOption(problem),
        try CatalogWriter(folder: folder.path, options: options).write())
    }
    XCTAssertFalse(
      isThere(folder.appending(path: "catalog.ndjson")))
    XCTAssertEqual(
      try readText(folder.appending(path: "file")), "no directory")
  }

  func testAnEmptyFileAndACatalogOfAnyFormMakeRoom() throws {
    for text in ["", "\n{ \"catalog\" : 1, \"items\": [] }"] {
      try write("list", text)
      var options = CatalogWriter.Options()
      options.fileName = "list"
      XCTAssertTrue(try CatalogWriter(folder: folder.path, options: options).write().wasReplaced)
    }
  }
}
