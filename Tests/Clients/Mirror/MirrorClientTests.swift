import CatalogMirror
import XCTest

/// A program that imports the mirror and nothing else can set every option and read every answer.
final class MirrorClientTests: XCTestCase {
  func testEveryOptionCanBeSetWithTheMirrorAlone() {
    var options = MirrorOptions(catalog: "https://example.org/", folder: "/nowhere/at/all")
    options.durability = .file
    options.access.headers.append(.init(name: "X-A", value: "1"))
    options.access.tokenFile = "/nowhere/token"
    options.maximumRemoval = .share(0.5)
    options.adoption = .sizeAndDate
    XCTAssertEqual(options.durability.rawValue, "file")
    XCTAssertEqual(options.access.headers.map(\.name), ["X-A"])
  }

  func testAFolderThatCantBeMadeIsAnErrorWithASentence() async throws {
    let options = MirrorOptions(catalog: "file:///nowhere/catalog", folder: "/nowhere/at/all")
    do {
      _ = try await FolderMirror(options).sync()
      XCTFail("there is no such folder")
    } catch let error as MirrorError {
      XCTAssertFalse(error.localizedDescription.isEmpty)
      XCTAssertEqual(error.localizedDescription, "\(error)")
    }
  }
}
