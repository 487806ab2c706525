import TestSupport
import XCTest

/// The program that uses the mirror as a library does what its guide says.
final class FollowTests: MirrorTestCase {
  private func follow(_ arguments: String...) throws -> ProgramOutcome {
    try start(arguments, program: Programs.products.appending(path: "follow").path).outcome(
      within: .seconds(30))
  }

  func testItFollowsACatalogAndTellsWhatHappened() throws {
    try publish(["a.txt": "a", "b.txt": "bb"])
    try publishCatalog()
    let catalog = try serve().url + "catalog.ndjson"
    let first = try follow(catalog, copy.path)
    assertEnd(first, 0)
    let lines = first.printed.split(separator: "\n").map(String.init)
    XCTAssertEqual(lines.first, "the catalog lists 2 items")
    XCTAssertEqual(
      lines.dropFirst().prefix(2).sorted(), ["a.txt: new, 1 B", "b.txt: new, 2 B"])
    XCTAssertEqual(
      lines.suffix(2),
      ["2 added, 0 updated, 0 removed", "held: 2 items, 3 B; 0 in quarantine, 0 displaced"])
    let second = try follow(catalog, copy.path)
    assertEnd(second, 0)
    XCTAssertTrue(second.printed.contains("nothing new\n"), second.printed)
    assertEnd(try follow("nowhere", copy.path), 1)
    assertEnd(try follow(), 64)
  }

  func testEverySwiftBlockOfItsGuideIsCompiled() throws {
    try assertCompiled(
      "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/UseTheMirror.md",
      in: "Demo/follow/Follow.swift", "Tests/Clients/Mirror/MirrorGuideTests.swift",
      "Tests/Clients/Mirror/OwnFormatTests.swift")
  }
}
