import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

/// A catalog that doesn't lie in the folder that it speaks of.
final class ElsewhereTests: PublishingTestCase {
  private func locators(of catalog: String) throws -> [String] {
    let listing = try Golden.listing(
      Golden.body(
        Array(try Data(contentsOf: folder.appending(path: catalog))), "https://h/pub/\(catalog)"))
    return listing.entries.compactMap(\.locators.first)
  }

  func testInADirectoryOfTheFolderItSaysTheWayUp() throws {
    try write("a", "1")
    try write("lists/deep/x", "2")
    let report = try writer { $0.directory = self.folder.path + "/lists/deep" }.write()
    XCTAssertEqual(report.base, "../../")
    XCTAssertEqual(report.entries, 2)
    XCTAssertEqual(
      try locators(of: "lists/deep/catalog.ndjson"),
      ["https://h/pub/a", "https://h/pub/lists/deep/x"])
    // What the catalog keeps beside itself is no entry there, either.
    XCTAssertEqual(
      try writer { $0.directory = self.folder.path + "/lists/deep" }.write().entries, 2)
  }

  /// It became an entry, and nobody was told.
  func testACatalogThatWasPublishedHereBeforeIsAnEntryAndTold() throws {
    try write("files/a", "1")
    try write("files/other.ndjson", "{}")
    let files = folder.appending(path: "files").path
    XCTAssertEqual(try CatalogWriter(folder: files).write().formerCatalogs, [])
    var options = CatalogWriter.Options()
    options.directory = folder.path
    let report = try CatalogWriter(folder: files, options: options).write()
    XCTAssertEqual(report.formerCatalogs, ["catalog.ndjson"])
    XCTAssertEqual(report.entries, 3)
  }

  func testAboveTheFolderItSaysTheWayDown() throws {
    try write("files/a b/c", "1")
    try write("beside", "no entry")
    var options = CatalogWriter.Options()
    options.directory = folder.path
    let writer = CatalogWriter(
      folder: folder.appending(path: "files/a b").path, options: options)
    XCTAssertEqual(try writer.write().base, "./files/a%20b/")
    XCTAssertEqual(try locators(of: "catalog.ndjson"), ["https://h/pub/files/a%20b/c"])
  }

  func testElsewhereOnlyABaseTellsWhereTheFilesAre() throws {
    try write("files/a", "1")
    try write("lists/x", "2")
    var options = CatalogWriter.Options()
    options.directory = folder.appending(path: "lists").path
    let files = folder.appending(path: "files").path
    assertThrows(
      PublishError.badOption(.baseMissing(options.directory ?? "")),
      try CatalogWriter(folder: files, options: options).write())
    options.base = "https://cdn/files/"
    XCTAssertEqual(try CatalogWriter(folder: files, options: options).write().entries, 1)
    XCTAssertEqual(try locators(of: "lists/catalog.ndjson"), ["https://cdn/files/a"])
  }

  func testLinksInEitherPathDoNotMakeItAnotherPlace() throws {
    try write("files/a", "1")
    try makeLink(at: folder.appending(path: "alias").path, to: "files")
    var options = CatalogWriter.Options()
    options.directory = folder.appending(path: "alias/.").path
    let writer = CatalogWriter(folder: folder.appending(path: "files").path, options: options)
    let report = try writer.write()
    XCTAssertNil(report.base)
    XCTAssertEqual(report.entries, 1)
  }

  /// It was an entry of the catalog above, and for its writer alone to read.
  func testWhatAnotherCatalogRemembersIsNoEntry() throws {
    try write("files/a", "1")
    let files = folder.appending(path: "files").path
    _ = try CatalogWriter(folder: files).write()
    XCTAssertEqual(try writer().write().entries, 2)
    XCTAssertEqual(
      try locators(of: "catalog.ndjson"),
      ["https://h/pub/files/a", "https://h/pub/files/catalog.ndjson"])
  }

  func testADirectoryThatIsNotThereIsAnError() throws {
    let missing = folder.path + "/none"
    XCTAssertThrowsError(try writer { $0.directory = missing }.write()) { error in
      guard case .system("open", missing, _) = error as? PublishError else {
        return XCTFail("\(error)")
      }
    }
  }
}
