import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// Feeds and catalogs that libraries of others made: feedgen's and opds's.
final class MadeFeedsTests: RunTestCase {
  private var made: URL { URL(filePath: base).appending(path: "made") }

  override func setUpWithError() throws {
    try super.setUpWithError()
    try makeFolder(at: made)
    let script = Programs.package.appending(path: "Tests/Services/make-feeds.py").path
    let child = try ChildProcess(
      Self.python(), [script, made.path], environment: [:], directory: made, records: made)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  private static func python() throws -> String {
    let named = ProcessInfo.processInfo.environment["MIRROR_FEEDS_PYTHON"]
    let path = named ?? Programs.package.appending(path: ".build/feeds/bin/python3").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Missing(hint: "Tests/run installs feedgen and opds; run that first.")
    }
    return path
  }

  private struct Missing: Error {
    var hint: String
  }

  private func serve(_ name: String) throws {
    let text = try readText(made.appending(path: name))
    try site.answer(Self.root + "feed", .text(text, ("Content-Type", "application/xml")))
  }

  private func syncFeed() async throws -> MirrorReport {
    try await sync { options in
      options.catalog = Self.root + "feed"
      options.previews = .also
    }
  }

  func testAPodcastOf300EpisodesIsHereAfterSixRunsThoughItShows50() async throws {
    for number in 1...300 {
      try site.answer(Self.root + "\(number).mp3", .text("episode \(number)"))
      try site.answer(Self.root + "\(number).jpg", .text("picture \(number)"))
    }
    for run in 1...6 {
      try serve("podcast-\(run).xml")
      assertEnds(try await syncFeed())
      let held = try tree()
      XCTAssertEqual(held.count, run * 50)
      XCTAssertEqual(
        Set(held.values), Set((1...(run * 50)).map { "episode \($0)" }), "none was removed")
      XCTAssertEqual(site.asked.filter { $0.hasSuffix(".mp3") }.count, 50)
    }
  }

  func testAFeedInAtomAndACatalogOfBooksAreRead() async throws {
    for number in 1...2 {
      try site.answer(Self.root + "\(number).mp3", .text("episode \(number)"))
      try site.answer(Self.root + "\(number).epub", .text("book \(number)"))
      try site.answer(Self.root + "\(number).jpg", .text("cover \(number)"))
    }
    try serve("atom.xml")
    assertEnds(try await syncFeed())
    XCTAssertEqual(Set(try tree().values), ["episode 1", "episode 2"])
    try serve("opds.xml")
    try await sync(ending: .done) { options in
      options.catalog = Self.root + "feed"
      options.folder = base + "/books"
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: base + "/books")
    XCTAssertEqual(names.filter { $0.hasSuffix(".epub") }.count, 2, "\(names)")
  }
}
