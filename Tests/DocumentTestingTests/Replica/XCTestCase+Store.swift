import TestSupport
import XCTest

extension XCTestCase {
  /// The path of a store in a folder of its own, which goes when the test ends.
  func temporaryStorePath() throws -> String {
    try temporaryFolder().appending(path: "notes.sqlite").path
  }
}
