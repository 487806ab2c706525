import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

/// Whoever gets a pack gets all of it: what not everybody may read is in none.
final class PublicPacksTests: PackingTestCase {
  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.appending(path: path).path)
  }

  private func mode(of file: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
  }

  private func bytesOfPacks() throws -> Data {
    try filesOfPacks().reduce(Data()) {
      $0 + (try Data(contentsOf: packs.appending(path: $1)))
    }
  }

  func testOnlyFilesThatEverybodyMayReadArePacked() throws {
    try writeFiles(0..<80)
    try write("closed/a", "the secret of a directory")
    try write("closed/in/b", "the secret further down")
    try setMode(0o750, of: "closed")
    try write(".htpasswd", "the secret of a file")
    try setMode(0o640, of: ".htpasswd")
    for remembers in [false, true] {
      let report = try pack()
      XCTAssertEqual(report.hashed, remembers ? 0 : 83)
      XCTAssertEqual(report.entries, 83)
      XCTAssertEqual(report.packs?.files, 80)
      XCTAssertEqual(report.packs?.waiting, 0)
      XCTAssertEqual(report.packs?.withheld, 3)
      XCTAssertEqual(Set(try places().keys), Set((0..<80).map { "f\($0)" }))
      XCTAssertNil(try bytesOfPacks().range(of: Data("secret".utf8)))
    }
    try setMode(0o755, of: "closed")
    try writeFiles(80..<160)
    let report = try pack()
    XCTAssertEqual(report.packs?.files, 162)
    XCTAssertEqual(report.packs?.withheld, 1)
    try assertPacksAreTrue()
  }

  func testAFileThatIsClosedLaterHasItsPlaceNoMore() throws {
    try writeFiles(0..<80)
    _ = try pack()
    try setMode(0o600, of: "f7")
    XCTAssertEqual(try pack().packs?.withheld, 1)
    XCTAssertNil(try places()["f7"])
    XCTAssertEqual(try places().count, 79)
  }

  /// It was looked for among the files before those were read for the packs.
  func testAKeyThatIsReadOnlyForThePacksIsInNone() throws {
    let keys = try SigningKeys("good", in: try temporaryFolder())
    try writeFiles(0..<80)
    _ = try writer { $0.signKeys = [keys.privateFile.path] }.write()
    let (secret, target) = (
      try Data(contentsOf: keys.privateFile), folder.appending(path: "f5")
    )
    var isCopied = false
    let writer = writer { ($0.packs, $0.signKeys) = (true, [keys.privateFile.path]) }
    XCTAssertThrowsError(
      try writer.write { _ in
        // All that is known of is looked at; only the packs need it once more.
        guard !isCopied else { return }
        isCopied = (try? secret.write(to: target)) != nil
      }
    ) { error in
      XCTAssertEqual(
        error as? PublishError,
        .badOption(.signKey(keys.privateFile.path, .isPublished(as: "f5"))))
    }
    XCTAssertTrue(isCopied)
    XCTAssertEqual(try filesOfPacks(), [])
    XCTAssertNil(try header()["packs"])
  }

  func testNobodyElseReadsAPackThatIsBeingWritten() throws {
    try writeFiles(0..<80, size: 256 << 10)
    let writer = writer { $0.packs = true }
    var seen = 0
    _ = try writer.write { [packs] (_: PublishProgress) -> Void in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: packs.path)) ?? []
      for name in names where name != PublishedNames.mark {
        let mode = try? self.mode(of: packs.appending(path: name))
        XCTAssertEqual(mode, 0o600, name)
        seen += 1
      }
    }
    XCTAssertGreaterThan(seen, 0)
    try write("new", "with the rights that the umask leaves")
    let usual = try mode(of: folder.appending(path: "new"))
    for name in try filesOfPacks() {
      XCTAssertEqual(try mode(of: packs.appending(path: name)), usual, name)
    }
    try assertPacksAreTrue()
  }
}
