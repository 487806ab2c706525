import Foundation
package import XCTest

extension XCTestCase {
  /// Asserts that every Swift block of a document stands, line for line, in one of some files that
  /// are compiled, and that the first of them begins with what they import; all paths are seen from
  /// the package's root. Neither indentation nor the order of imports is compared, and a block about
  /// the manifest is left out.
  package func assertCompiled(
    _ document: String, in sources: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Programs.package.appending(path: path), encoding: .utf8)
    }
    let compiled = try sources.map { Self.lines(try text($0)).joined(separator: "\n") }
    let blocks = try text(document).components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
      .filter { !$0.contains(".package(") }
    XCTAssertFalse(blocks.isEmpty, "no Swift in \(document)", file: file, line: line)
    XCTAssertEqual(
      blocks.first?.hasPrefix("import "), true, "\(document) doesn't say what its code imports",
      file: file, line: line)
    for block in blocks {
      let lines = Self.lines(block)
      let imports = lines.filter { $0.hasPrefix("import ") }
      let code = lines.drop { imports.contains($0) || $0.isEmpty }.joined(separator: "\n")
      XCTAssertTrue(
        compiled.contains { text in
          text.contains(code) && imports.allSatisfy { ("\n" + text).contains("\n\($0)\n") }
        }, "not compiled anywhere:\n\(block)", file: file, line: line)
    }
  }

  private static func lines(_ text: String) -> [String] {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
