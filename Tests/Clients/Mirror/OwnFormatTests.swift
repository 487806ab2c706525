import CatalogMirror
import Foundation
import XCTest

/// The guide's format, as it stands there, in a program that imports the mirror and nothing else.
final class OwnFormatTests: XCTestCase {
  /// One address a line, and `end` in the last one.
  struct AddressList: CatalogFormat {
    let name = CatalogFormatName("addresses")
    let noun = "a list of addresses"

    func recognises(_ body: CatalogBody) -> Bool { body.mediaType == "text/x-addresses" }

    func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage
    {
      let lines = String(decoding: body.bytes, as: UTF8.self).split(separator: "\n")
      guard lines.last == "end" else {
        throw .unreadable(url: body.url.redacted, expected: .format("addresses"), found: .cutPage)
      }
      var page = CatalogPage(format: name, claim: .whole)
      for (index, line) in lines.dropLast().enumerated() {
        let key = CatalogKey(String(line.split(separator: "/").last ?? line))
        let address = URLReference(String(line))?.resolved(against: body.url).text ?? ""
        page.take(
          .entry(CatalogEntry(key: key, locators: [address]), settled: false), at: index + 1)
      }
      return page
    }
  }

  private let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appending(path: "own-format-\(UUID().uuidString)")

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(
      at: base.appending(path: "source"), withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: base)
  }

  private func put(_ text: String, at name: String) throws {
    try Data(text.utf8).write(to: base.appending(path: "source/" + name))
  }

  private func sync() async throws -> MirrorReport {
    let list = base.appending(path: "source/list").absoluteString
    var options = MirrorOptions(catalog: list, folder: base.appending(path: "copy").path)
    options.additionalFormats = [AddressList()]
    options.format = "addresses"
    return try await FolderMirror(options).sync()
  }

  func testAListOfItsOwnIsMirroredAndACutOneRemovesNothing() async throws {
    try put("alpha", at: "a.txt")
    try put("beta", at: "b.txt")
    try put("a.txt\nb.txt\nend\n", at: "list")
    let first = try await sync()
    XCTAssertEqual(first.outcome, .done, "\(first.failures)")
    try put("a.txt\n", at: "list")
    let cut = try await sync()
    XCTAssertEqual(cut.outcome, .failed)
    let held = try FileManager.default.contentsOfDirectory(
      atPath: base.appending(path: "copy").path
    ).filter { !$0.hasPrefix(".") }
    XCTAssertEqual(held.sorted(), ["a.txt", "b.txt"])
    try put("a.txt\nend\n", at: "list")
    let whole = try await sync()
    XCTAssertEqual(whole.outcome, .done, "\(whole.failures)")
    XCTAssertFalse(
      FileManager.default.fileExists(atPath: base.appending(path: "copy/b.txt").path))
  }
}
