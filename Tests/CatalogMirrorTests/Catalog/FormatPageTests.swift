import CatalogPublishing
import Foundation
import SyncText
import TestSupport
import XCTest

@testable import CatalogMirror

/// The page of the documentation on the catalog format holds: its examples are read, its schema
/// fits them and what we publish, and refuses what the decoder refuses.
final class FormatPageTests: PublishingTestCase {
  private func blocks() throws -> [String] { try Self.formatPage("json") }

  func testAFolderWithPacksFitsTheSchema() throws {
    for number in 0..<64 {
      try write("f\(number)", "file \(number)")
      try write("thumbs/f\(number).png", "preview \(number)")
    }
    _ = try writer {
      $0.previews = "thumbs"
      $0.packs = true
    }.write()
    XCTAssertEqual(try text().components(separatedBy: #""pack":["#).count, 129)
    XCTAssertEqual(try complaints(about: text()), [])
  }

  private func value(_ text: some StringProtocol) throws -> JSONValue {
    let bytes = Array(text.utf8)
    return try JSONValue(bytes, in: 0..<bytes.count, nesting: 32)
  }

  private func schema() throws -> SchemaCheck {
    SchemaCheck(schema: try value(try XCTUnwrap(blocks().last { $0.contains("$schema") })))
  }

  private func examples() throws -> [String] { try blocks().filter { !$0.contains("$schema") } }

  /// What is wrong with a catalog in any of the three forms.
  private func complaints(about text: String) throws -> [String] {
    let schema = try schema()
    if let whole = try? value(text) {
      guard let elements = whole.elements else { return schema.complaints(about: whole) }
      return elements.flatMap { schema.complaints(about: $0, at: "#/$defs/entry") }
    }
    let lines = try text.split(separator: "\n").map { try value($0) }
    return schema.complaints(about: lines[0], at: "#/$defs/header")
      + lines.dropFirst().flatMap { schema.complaints(about: $0, at: "#/$defs/entry") }
  }

  func testEveryExampleIsReadAndFitsTheSchema() throws {
    let examples = try examples()
    XCTAssertEqual(examples.count, 5)
    for text in examples {
      let listing = try Golden.listing(Golden.body(Array(text.utf8)))
      XCTAssertEqual(listing.entries.count, 2, text)
      XCTAssertEqual(listing.unusable, [], text)
      XCTAssertEqual(try complaints(about: text), [], text)
    }
    for text in [Golden.ndjson, Golden.object, Golden.array] {
      XCTAssertEqual(try complaints(about: text), [], text)
    }
  }

  func testWhatIsPublishedFitsTheSchema() throws {
    try write("a \"ü\"/b.txt", "1")
    try write("thumbs/a \"ü\"/b.txt.webp", "2")
    try write("c", "")
    _ = try writer {
      $0.previews = "thumbs"
      $0.title = "T"
      $0.base = "https://cdn/x/"
    }.write()
    let catalog = try text()
    XCTAssertTrue(catalog.contains("preview"))
    XCTAssertEqual(try complaints(about: catalog), [])
  }

  func testWhatTheDecoderRefusesTheSchemaRefusesToo() throws {
    let entries = [
      #""key":"""#, #""key":1"#, #""size":1"#, #""key":"a","size":-1"#, #""key":"a","size":"1""#,
      #""key":"a","size":1.5"#, #""key":"a","sha256":"ab""#, #""key":"a","version":true"#,
      #""key":"a","order":"1""#, #""key":"a","title":1"#, #""key":"a","preview":{}"#,
      #""key":"a","preview":"x""#, #""key":"a","url":1"#, #""key":"a","modified":1"#,
    ]
    for entry in entries {
      let text = "{\"catalog\":1}\n{\(entry)}\n"
      let page = try Golden.page(text)
      let isUsable = page.entries.contains { if case .entry = $0 { true } else { false } }
      XCTAssertFalse(isUsable, entry)
      XCTAssertNotEqual(try complaints(about: text), [], entry)
    }
    for header in [
      #""catalog":2"#, #""catalog":1,"count":"3""#, #""catalog":1,"count":-1"#,
      #""catalog":1,"complete":"yes""#, #""catalog":1,"title":1"#, #""catalog":1,"revision":1.5"#,
    ] {
      let text = "{\(header)}\n{\"key\":\"a\"}\n"
      XCTAssertThrowsError(try Golden.page(text), header)
      XCTAssertNotEqual(try complaints(about: text), [], header)
    }
  }

  func testAVersionMayBeANumberAndUnknownMembersAreKept() throws {
    let text = """
      {"catalog":1,"mine":{"x":1}}
      {"key":"a","version":7,"camera":"X100","size":3}
      {"key":"b","version":"7"}
      {"key":"c","version":7.0,"preview":{"url":"p","version":2}}

      """
    let entries = try Golden.listing(Golden.body(Array(text.utf8))).entries
    XCTAssertEqual(
      entries.map(\.version), [.revision("7"), .revision("7"), .revision("7")])
    XCTAssertEqual(entries[0].extra, #"{"camera":"X100"}"#)
    XCTAssertEqual(entries[2].preview?.version, .revision("2"))
  }
}

/// The table of formats in the documentation is whole: a row for each format, and no empty cell.
final class FormatTableTests: XCTestCase {
  private func rows() throws -> [[String]] {
    let page = URL(filePath: #filePath).appending(
      path: "../../../../Sources/OneWaySynchronizer/OneWaySynchronizer.docc/Sources.md"
    ).standardizedFileURL
    let text = try readText(page)
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("| ") }
      .prefix { $0.hasPrefix("| ") }.dropFirst(2)
    return lines.map { line in
      line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  func testEveryFormatHasARow() throws {
    let named = try rows().compactMap { row in
      row[1].split(separator: "`").first.map(String.init)
    }
    XCTAssertEqual(named.sorted(), MirrorOptions.formats.sorted())
  }

  func testNoCellIsEmpty() throws {
    for row in try rows() {
      XCTAssertEqual(row.count, 11, "\(row)")
      XCTAssertFalse(row.contains(""), "\(row)")
    }
  }
}
