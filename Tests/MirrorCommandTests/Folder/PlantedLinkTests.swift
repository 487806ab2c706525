import TestSupport
import Foundation
import XCTest

/// Links that somebody planted in the folder lead nothing out of it.
final class PlantedLinkTests: MirrorTestCase {
  private var outside: URL { base.appending(path: "outside") }

  func testALinkInPlaceOfADirectoryLeadsNoWriteAndNoRemovalOut() throws {
    try publish(["dir/kept.txt": "one", "dir/gone.txt": "two", "top.txt": "top"])
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    try plant("dir")
    try FileManager.default.removeItem(at: source.appending(path: "dir/gone.txt"))
    try publish(
      ["dir/kept.txt": "ONE", "dir/new.txt": "new"],
      dated: Self.longAgo.addingTimeInterval(86_400))

    let outcome = try sync(server.url)
    assertEnd(outcome, 2)
    try assertOutsideIsUntouched()
    XCTAssertEqual(
      try Data(contentsOf: copy.appending(path: "top.txt")), Data("top".utf8), "\(outcome)")
  }

  func testALinkInPlaceOfAFileIsNotFollowed() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .html)
    assertEnd(try sync(server.url), 0)
    try FileManager.default.removeItem(at: copy.appending(path: "a.txt"))
    try makeOutside()
    try FileManager.default.createSymbolicLink(
      at: copy.appending(path: "a.txt"),
      withDestinationURL: outside.appending(path: "kept.txt"))

    let outcome = try sync(server.url)
    assertEnd(outcome, 2)
    try assertOutsideIsUntouched()
  }

  private func makeOutside() throws {
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    for name in ["kept.txt", "gone.txt"] {
      try Data("precious".utf8).write(to: outside.appending(path: name))
    }
  }

  /// Puts a link to `outside` in the place of a directory of `copy`.
  private func plant(_ name: String) throws {
    try makeOutside()
    try FileManager.default.removeItem(at: copy.appending(path: name))
    try FileManager.default.createSymbolicLink(
      at: copy.appending(path: name), withDestinationURL: outside)
  }

  private func assertOutsideIsUntouched() throws {
    XCTAssertEqual(
      try files(in: outside),
      ["kept.txt": Data("precious".utf8), "gone.txt": Data("precious".utf8)])
  }
}
