import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// A folder that is published, and a clock that runs when it is told to.
class PublishingTestCase: XCTestCase {
  private(set) var folder = URL(filePath: "/")

  override func setUpWithError() throws {
    folder = try temporaryFolder()
  }

  func write(_ path: String, _ text: String) throws {
    let file = folder.appending(path: path)
    try makeFolder(at: file.deletingLastPathComponent())
    try Data(text.utf8).write(to: file)
  }

  /// A writer that takes the date for a minute later than it is, so that what was only just written
  /// counts as settled.
  func writer(
    ahead seconds: Double = 60, _ change: (inout CatalogWriter.Options) -> Void = { _ in }
  ) -> CatalogWriter {
    var options = CatalogWriter.Options()
    change(&options)
    return CatalogWriter(folder: folder.path, options: options) {
      Int64(nanosecondsOf: Date().timeIntervalSince1970 + seconds)
    }
  }

  func text(of path: String = "catalog.ndjson") throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }

  /// What the page of the documentation on the catalog format has in this language.
  static func formatPage(_ language: String) throws -> [String] {
    let page = URL(filePath: #filePath).appending(
      path: "../../../../Sources/OneWaySynchronizer/OneWaySynchronizer.docc/CatalogFormat.md"
    ).standardizedFileURL
    return try readText(page).split(separator: "\n```").filter { $0.hasPrefix("\(language)\n") }
      .map { String($0.dropFirst(language.count + 1)) + "\n" }
  }
}
