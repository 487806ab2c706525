import Foundation
import XCTest

extension XCTestCase {
  /// The path of a store in a folder of its own, which goes when the test ends.
  func temporaryStorePath() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    addTeardownBlock { try FileManager.default.removeItem(at: folder) }
    return folder.appending(path: "notes.sqlite").path
  }
}
