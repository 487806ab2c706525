import Foundation
import XCTest

extension XCTestCase {
  /// Asserts that every Swift block of a document stands, line for line, in a file that is
  /// compiled. Indentation isn't compared, and a block about the manifest is left out.
  func assertCompiled(
    _ document: String, in testFile: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
    let compiled = Self.lines(try String(contentsOfFile: testFile, encoding: .utf8))
    let blocks = text.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
      .filter { !$0.contains(".package(") }
    XCTAssertFalse(blocks.isEmpty, "no Swift in \(document)", file: file, line: line)
    for block in blocks {
      XCTAssertTrue(
        compiled.contains(Self.lines(block)), "not compiled anywhere:\n\(block)", file: file,
        line: line)
    }
  }

  private static func lines(_ text: String) -> String {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}
