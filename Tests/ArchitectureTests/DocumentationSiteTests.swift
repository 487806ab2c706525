import Foundation
import TestSupport
import XCTest

/// Demo/documentation, as far as it needs no build.
final class DocumentationSiteTests: XCTestCase {
  /// Who names a folder of their own by mistake still has it.
  func testASiteIsNeverMadeInAFolderOfSomebodys() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let folder = place.appending(path: "photos")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: place)) }
    let photo = folder.appending(path: "a.jpg")
    try Data("a".utf8).write(to: photo)
    let child = try ChildProcess(
      Programs.package.appending(path: "Demo/documentation").path, [folder.path],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""],
      directory: place, records: place)
    let outcome = try child.outcome(within: .seconds(60))
    XCTAssertEqual(outcome.end, .exited(1), outcome.said)
    XCTAssertTrue(outcome.said.contains("photos"), outcome.said)
    XCTAssertTrue(outcome.said.contains("name an empty folder"), outcome.said)
    XCTAssertEqual(try String(contentsOf: photo, encoding: .utf8), "a")
  }
}
