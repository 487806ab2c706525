import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// Directories of a listing that hold nothing.
final class EmptyDirectoryTests: RunTestCase {
  /// Serves a tree as nginx lists it in JSON: a directory for each path that ends with a slash.
  private func serve(tree paths: [String]) throws {
    site.clear()
    var pages: [String: [String]] = ["": []]
    for path in paths {
      var directory = ""
      for name in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
        let entry =
          #"{"name":"\#(name)","type":"directory","mtime":"Fri, 31 Jan 2025 10:00:00 GMT"}"#
        if !(pages[directory] ?? []).contains(entry) { pages[directory, default: []].append(entry) }
        directory += name + "/"
        pages[directory] = pages[directory] ?? []
      }
      guard let name = path.split(separator: "/").last, !path.hasSuffix("/") else { continue }
      pages[directory]?.append(
        #"{"name":"\#(name)","type":"file","mtime":"Fri, 31 Jan 2025 10:00:00 GMT","size":4}"#)
      try site.answer(Self.root + path, .text("text"))
    }
    for (directory, entries) in pages {
      try site.answer(
        Self.root + directory,
        .text(
          "[" + entries.joined(separator: ",") + "]", ("Content-Type", "application/json"),
          ("Date", "Fri, 31 Jan 2025 12:00:00 GMT")))
    }
  }

  private func directories() throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return paths.filter { path in
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isDirectory)
      return isDirectory.boolValue && !path.hasPrefix(".mirror")
    }.sorted()
  }

  private func options(_ options: inout MirrorOptions) {
    options.catalog = Self.root
    options.makesEmptyDirectories = true
    options.maximumRemoval = .all
  }

  func testTheyAreMadeAndRemovedWhenTheyVanishAndAreEmpty() async throws {
    try serve(tree: ["a", "empty/", "deep/er/", "full/b"])
    try await assertEqual(syncWell { $0.catalog = Self.root }.listed, 2)
    XCTAssertEqual(try directories(), ["full"], "only when asked for")
    try await assertEqual(syncWell(options).listed, 2, "they are no items")
    XCTAssertEqual(try directories(), ["deep", "deep/er", "empty", "full"])

    try remove("empty")
    try await syncWell(options)
    XCTAssertEqual(try directories(), ["deep", "deep/er", "empty", "full"], "made again")

    try place("mine", at: "empty/mine")
    try makeFolder(at: folder + "/own")
    try serve(tree: ["a", "full/"])
    try await syncWell(options)
    XCTAssertEqual(try directories(), ["empty", "full", "own"])
    XCTAssertEqual(try tree(), ["a": "text", "empty/mine": "mine"])
    try await assertEqual(mirror(options).status().contents, 1)
  }

  func testTheyStayWhereNothingIsRemovedAndOutsideOfTheScope() async throws {
    try serve(tree: ["a", "empty/"])
    try await syncWell(options)
    try serve(tree: ["a"])
    try await syncWell {
      options(&$0)
      $0.maximumRemoval = .never
    }
    XCTAssertEqual(try directories(), ["empty"])
    let pattern = try KeyPattern("/empty/")
    try await syncWell {
      options(&$0)
      $0.scope.rules = [.exclude(pattern)]
    }
    XCTAssertEqual(try directories(), ["empty"])
    try await syncWell(options)
    XCTAssertEqual(try directories(), [])
  }

  func testWhatIsKeptOfThemIsReadBack() throws {
    let paths = try ["b", "a/ü x", "a"].map { try RelativePath(CatalogKey($0)) }
    let list = PathList(paths)
    XCTAssertEqual(list.paths.map(\.string), ["a", "a/ü x", "b"])
    XCTAssertEqual(PathList(kept: list.text), list)
    XCTAssertEqual(PathList(kept: nil).paths, [])
    XCTAssertEqual(PathList(kept: "../x\n\n/y\nb").paths.map(\.string), ["b"])
    XCTAssertEqual(list.subtracting(PathList([paths[0]])).paths.count, 2)
  }
}
