import Foundation
import SyncTransport
import XCTest

@testable import CatalogMirror

/// A package index as a whole, and the projects of it that somebody wants.
final class SimpleIndexRunTests: RunTestCase {
  private static let index = root + "simple/"
  private static let type = ("Content-Type", "application/vnd.pypi.simple.v1+json")

  private func serve(_ projects: [String: [String]]) throws {
    let names = projects.keys.sorted().map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
    let meta = #""meta":{"api-version":"1.0"}"#
    try site.answer(Self.index, .text(#"{\#(meta),"projects":[\#(names)]}"#, Self.type))
    for (project, files) in projects {
      let listed = files.map { #"{"filename":"\#($0)","url":"/pub/files/\#($0)","hashes":{}}"# }
      try site.answer(
        Self.index + project + "/",
        .text(#"{\#(meta),"files":[\#(listed.joined(separator: ","))]}"#, Self.type))
      for file in files { try site.answer(Self.root + "files/" + file, .text(file)) }
    }
  }

  private func syncIndex(_ pattern: String? = nil) async throws -> MirrorReport {
    try await sync { options in
      options.catalog = Self.index
      options.format = "simple-index"
      if let pattern, let parsed = try? KeyPattern(pattern) {
        options.scope.rules = [.include(parsed)]
      }
    }
  }

  func testAWholeIndexIsADirectoryAProject() async throws {
    try serve(["frob": ["frob-1.zip"], "spam": ["spam-1.zip", "spam-2.zip"]])
    assertEnds(try await syncIndex())
    XCTAssertEqual(
      Set(try tree().keys), ["frob/frob-1.zip", "spam/spam-1.zip", "spam/spam-2.zip"])
    XCTAssertEqual(site.log.first?.headers["Accept"]?.hasPrefix(Self.type.1), true)
    try serve(["frob": ["frob-1.zip"], "spam": ["spam-2.zip"]])
    _ = try await syncIndex()
    XCTAssertEqual(Set(try tree().keys), ["frob/frob-1.zip", "spam/spam-2.zip"])
  }

  func testOnlyTheProjectsThatAreWantedAreAskedFor() async throws {
    try serve(["frob": ["frob-1.zip"], "spam": ["spam-1.zip"]])
    assertEnds(try await syncIndex("spam/**"))
    XCTAssertEqual(Set(try tree().keys), ["spam/spam-1.zip"])
    XCTAssertFalse(site.asked.contains("/pub/simple/frob/"))
  }

  func testAProjectThatCannotBeReadSpeaksOnlyForItself() async throws {
    try serve(["frob": ["frob-1.zip"], "spam": ["spam-1.zip"]])
    _ = try await syncIndex()
    try serve(["frob": ["frob-2.zip"], "spam": []])
    try site.answer(Self.index + "spam/", .status(404))
    _ = try await syncIndex()
    XCTAssertEqual(Set(try tree().keys), ["frob/frob-2.zip", "spam/spam-1.zip"])
  }
}
