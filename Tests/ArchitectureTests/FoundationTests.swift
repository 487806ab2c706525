import Foundation
import XCTest

/// Foundation as a whole takes longer to load than a program needs to begin. So it is imported in
/// few places, and what programs link is not among them.
final class FoundationTests: XCTestCase {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Which module comes in where alone. What the tests import is their own affair.
  private static let ways: [String: Set<String>] = [
    "Foundation": ["SyncEssentials", "OneWaySynchronizer", "bench", "follow"],
    "FoundationEssentials": ["SyncEssentials"],
    "FoundationInternationalization": [], "FoundationNetworking": [], "FoundationXML": [],
    "Glibc": ["SyncSystem"], "Musl": ["SyncSystem"], "Darwin": ["SyncSystem"],
  ]

  func testFoundationAndTheSystemAreImportedWhereTheTableSaysAlone() throws {
    XCTAssertEqual(try Self.imports().flatMap(Self.complaints).sorted(), [])
  }

  /// Each row of the table is about something that is there.
  func testEachTargetOfTheTableImportsWhatItMay() throws {
    let imports = try Self.imports()
    for (module, targets) in Self.ways {
      for target in targets {
        XCTAssertTrue(
          imports.contains { $0.target == target && $0.modules.contains(module) },
          "\(target) imports \(module) no more; take it out of the table")
      }
    }
  }

  func testAnImportThatTheTableDoesNotNameIsFound() {
    func complaints(_ target: String, _ text: String) -> [String] {
      Self.complaints(
        about: Imports(target: target, path: "A.swift", modules: SourceNames(text).imported))
    }
    XCTAssertEqual(
      complaints("mirror", "private import Foundation"), ["mirror/A.swift imports Foundation"])
    XCTAssertEqual(
      complaints("SyncEssentials", "#if os(Linux)\n  import Glibc\n#endif"),
      ["SyncEssentials/A.swift imports Glibc"])
    XCTAssertEqual(complaints("SyncEssentials", "@_exported public import Foundation"), [])
    XCTAssertEqual(complaints("mirror", "import SyncEssentials\nimport SyncSystem"), [])
  }

  // MARK: - Reading

  private struct Imports {
    var target: String
    var path: String
    var modules: Set<String>
  }

  private static func complaints(about file: Imports) -> [String] {
    file.modules.compactMap { module in
      guard let targets = ways[module], !targets.contains(file.target) else { return nil }
      return "\(file.target)/\(file.path) imports \(module)"
    }
  }

  /// What each Swift source of the targets imports.
  private static func imports() throws -> [Imports] {
    try ["Sources", "Demo"].flatMap { (folder: String) -> [Imports] in
      let top = root.appending(path: folder)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: top.path)
      return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
        .compactMap { path in
          let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
          guard parts.count == 2 else { return nil }
          let text = try String(contentsOf: top.appending(path: path), encoding: .utf8)
          return Imports(target: parts[0], path: parts[1], modules: SourceNames(text).imported)
        }
    }
  }
}
