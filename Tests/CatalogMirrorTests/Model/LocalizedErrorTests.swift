import CatalogMirror
import CatalogPublishing
import Foundation
import XCTest
@testable import SyncFolder

/// An alert shows the sentence of each error that a program may meet.
final class LocalizedErrorTests: XCTestCase {
  func testAnAlertShowsTheSentence() {
    let rows: [(any Error, String)] = [
      (MirrorError.emptyListing(held: 3), "\(MirrorError.emptyListing(held: 3))"),
      (FolderError(.full, "a"), "\(FolderError(.full, "a"))"),
      (CatalogError.pageLoop(url: "https://h/"), "\(CatalogError.pageLoop(url: "https://h/"))"),
      (PublishError.changing(path: "a"), "\(PublishError.changing(path: "a"))"),
      (KeyProblem.empty, "The key is empty."),
    ]
    for (error, sentence) in rows { XCTAssertEqual(error.localizedDescription, sentence) }
  }
}
