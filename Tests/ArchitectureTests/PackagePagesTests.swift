import Foundation
import TestSupport
import XCTest

/// What pages and workflows say of `Demo/package` is what it does.
final class PackagePagesTests: XCTestCase {
  private static let catalog = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc"
  private static let pages = [
    "README.md", "CHANGELOG.md", "\(catalog)/Install.md", "\(catalog)/RunningUnattended.md",
    ".github/workflows/release.yml", ".ci/run", "Demo/packaging/Containerfile",
  ]

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Programs.package.appending(path: path), encoding: .utf8)
  }

  /// The README's `mirror_*.deb` was no file that `Demo/package debian` makes.
  func testTheCommandsThatPagesNameAreThoseOfThePackager() throws {
    let script = try text("Demo/package")
    let words = Set(script.matches(of: /\n  ([a-z-]+)\)/).map { String($0.1) })
    XCTAssertTrue(words.isSuperset(of: ["wheel", "debian", "--check"]), "\(words)")
    let usage = Set(
      script.matches(of: /\nDemo\/package (-*[a-z]+)/).map { String($0.1) })
    XCTAssertEqual(usage, words.subtracting(["--help"]))
    var named: Set<String> = []
    for page in Self.pages {
      for match in try text(page).matches(of: /Demo\/package (-*[a-z]+)/) {
        XCTAssertTrue(words.contains(String(match.1)), "\(page): Demo/package \(match.1)")
        named.insert(String(match.1))
      }
    }
    XCTAssertEqual(named, words.subtracting(["--help"]), "what no page tells of")
  }

  func testThePackagesThatPagesNameAreThoseThatAreMade() throws {
    let packages = Set(
      try text("Demo/packaging/debian/control").matches(of: /\nPackage: (.+)\n/)
        .map { String($0.1) })
    XCTAssertEqual(packages.count, 3)
    for page in Self.pages {
      for match in try text(page).matches(of: /([a-z-]*)_[^\s]*\.deb|install (onewaysync[a-z-]*)/) {
        let name = String(match.1 ?? match.2 ?? "")
        XCTAssertTrue(packages.contains(name), "\(page): \(match.0)")
      }
    }
    for page in ["README.md", "\(Self.catalog)/Install.md"] {
      XCTAssertTrue(try text(page).contains("./onewaysynchronizer-mirror_*.deb"), page)
    }
  }
}
