import Foundation
import TestSupport
import XCTest

/// F7: links at the source that lead back above themselves, behind real servers. They are left
/// alone and told once; what is held below them stays, and nothing else suffers.
final class F7RepeatedDirectoryTests: FaultTestCase {
  private static let links = ["updates", "pool/up"]

  private func link(_ names: [String]) throws {
    for name in names {
      try FileManager.default.createSymbolicLink(
        atPath: source.appending(path: name).path,
        withDestinationPath: name.contains("/") ? ".." : ".")
    }
  }

  private func unlink(_ names: [String]) throws {
    for name in names { try? FileManager.default.removeItem(at: source.appending(path: name)) }
  }

  func testF7_directoriesThatLeadBackAreLeftAloneByEveryWalk() throws {
    let kinds: [ListingServer.Kind?] = [
      nil, .apache("FancyIndexing"), .apache(nil), .lighttpd, .caddy, .python,
    ]
    for (number, kind) in kinds.enumerated() {
      try publish(["a.txt": "a", "pool/b.txt": "b"])
      // What lies there at first is held, and stays when a link takes its place.
      try publish(["updates/old.txt": "old"])
      let url = try kind.map { try serve(by: $0).url } ?? serve(listing: .html).url
      assertEnd(try sync(url, ["--last", "pool/**"]), 0)
      try withdraw("updates/old.txt")
      try unlink(["updates"])
      try link(Self.links)
      try publish(["c.txt": "c \(number)"])

      let first = try sync(url, ["--last", "pool/**"])
      assertRefused(
        first, 2, saying: "aren't read", "/updates/", "--exclude", "'/updates/'", inLines: 3)
      let held = try copied()
      XCTAssertEqual(held["updates/old.txt"], "old", "\(url): \(first)")
      XCTAssertEqual(held["c.txt"], "c \(number)")
      XCTAssertNil(held["updates/a.txt"])
      XCTAssertNil(held["pool/up/a.txt"])

      // The same ones are no news; what changes elsewhere is followed, and removed.
      try withdraw("c.txt")
      let second = try sync(url, ["--last", "pool/**"])
      assertEnd(second, 0)
      XCTAssertEqual(second.said, "")
      XCTAssertNil(try copied()["c.txt"])
      assertEnd(try sync(url, ["--exclude", "/updates/", "--exclude", "/pool/up/"]), 0)
      try unlink(Self.links)
      try FileManager.default.removeItem(at: copy)
    }
    try Extent.record(
      "F7", "servers of a tree with links in a circle", count: kinds.count,
      "left alone and told once; what is held below stays, the rest is followed")
  }
}
