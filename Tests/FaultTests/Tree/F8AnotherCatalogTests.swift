import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// F8: another catalog's listing into the folder. A mistyped address must not turn one mirror into
/// another, not even where the removal limit would let it.
final class F8AnotherCatalogTests: FaultTestCase {
  private static let other = "other.ndjson"
  private static let texts = ["a": "text a", "b": "text b", "c": "text c", "d": "text d"]

  func testF8_aFolderOfOneCatalogRefusesAnotherAndNamesBoth() async throws {
    let server = try await mirrored()
    let before = try tree()
    let (first, second) = (server.url + Self.catalogName, server.url + Self.other)
    _ = try server.takeRequests()
    let refused = try sync(second + "?token=s3cret")
    assertRefused(refused, 3, saying: first, second, "--new-catalog", "nothing was changed")
    XCTAssertFalse("\(refused)".contains("s3cret"), "\(refused)")
    XCTAssertEqual(try server.takeRequests(), [], "nothing is even asked")
    assertRefused(try mirror("plan", second, copy.path), 3, saying: first, second)
    XCTAssertTrue(try tree() == before, "something was touched")
    try await assertNothingIsLost(of: Versions(Self.texts).all, "refused")
    try FileManager.default.removeItem(at: source.appending(path: Self.other))
    try assertConverges(on: server)
  }

  func testF8_aFolderFollowsAnotherCatalogOnceItIsTold() async throws {
    let server = try await mirrored()
    let (first, second) = (server.url + Self.catalogName, server.url + Self.other)
    assertEnd(try mirror("plan", second, copy.path, "--new-catalog"), 0)
    assertRefused(try sync(second), 3, saying: first)
    assertEnd(try sync(second, ["--new-catalog"]), 0)
    XCTAssertEqual(try copied().keys.sorted(), ["b", "c", "d"])
    assertEnd(try sync(second), 0)
    assertRefused(try sync(first), 3, saying: first, second)
  }

  func testF8_whatAFolderMirrorsSurvivesItsIndexAndItsMarker() async throws {
    let server = try await mirrored()
    for lost in ["index.sqlite", "marker"] {
      try FileManager.default.removeItem(at: copy.appending(path: ".mirror/\(lost)"))
      assertRefused(try sync(server.url + Self.other), 3, saying: server.url + Self.catalogName)
      assertEnd(try sync(server.url + Self.catalogName), 0)
      assertRefused(try sync(server.url + Self.other), 3, saying: server.url + Self.catalogName)
    }
  }

  /// What a run for the wrong catalog finds damaged is none of its business.
  func testF8_aRefusedCatalogSweepsAndMendsNothing() async throws {
    let server = try await mirrored()
    let control = copy.appending(path: ".mirror")
    try Data("left".utf8).write(to: control.appending(path: "staging/left"))
    let whole = try Data(contentsOf: control.appending(path: "index.sqlite"))
    for damage in [Data("nonsense".utf8) + whole.dropFirst(8), Data(), whole.prefix(5_000)] {
      try damage.write(to: control.appending(path: "index.sqlite"))
      let before = try Self.traces(in: copy)
      assertRefused(
        try sync(server.url + Self.other), 3, saying: server.url + Self.catalogName,
        "nothing was changed")
      let after = try Self.traces(in: copy)
      // Who looks at an index opens it, and who runs says so in the lock.
      let touched = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      XCTAssertEqual(touched.subtracting([".mirror", ".mirror/lock"]), [], "\(damage.count) bytes")
    }
    assertEnd(try sync(server.url + Self.catalogName), 0)
    try assertCopyIsTrue(except: [Self.catalogName, Self.other])
  }

  /// They held the address only as it is shown.
  func testF8_aFolderOfAnEarlierVersionRefusesAnotherCatalogToo() async throws {
    let server = try await mirrored()
    let (first, second) = (server.url + Self.catalogName, server.url + Self.other)
    let control = copy.appending(path: ".mirror")
    let index = try await MirrorIndex.open(path: control.appending(path: "index.sqlite").path)
    try await index.write { try $0.setValue(nil, for: .catalogIdentity) }
    await index.close()
    let marker = control.appending(path: "marker")
    let lines = try readText(marker).split(separator: "\n")
    let kept = lines.filter { !$0.hasPrefix("catalog ") }.map { $0 + "\n" }.joined()
    XCTAssertLessThan(kept.split(separator: "\n").count, lines.count)
    try Data(kept.utf8).write(to: marker)
    assertRefused(try sync(second), 3, saying: first, second)
    assertRefused(try mirror("plan", second, copy.path), 3, saying: first, second)
    XCTAssertEqual(try copied(), Self.texts)
    assertEnd(try sync(first + "?token=s3cret"), 0)
    assertRefused(try sync(second), 3, saying: first)
  }

  func testF8_aRefusedRemovalOfANewCatalogLeavesTheOldOneInForce() async throws {
    let server = try await mirrored()
    let (first, second) = (server.url + Self.catalogName, server.url + Self.other)
    let refused = try sync(second, ["--new-catalog", "--max-delete", "0"])
    assertRefused(refused, 3, saying: "1 of 4 items")
    assertRefused(try sync(second), 3, saying: first)
    assertRefused(try sync(server.url + "gone.ndjson", ["--new-catalog"]), 1, saying: "404")
    let status = try mirror("status", copy.path)
    XCTAssertTrue(status.printed.contains("catalog     \(first)\n"), "\(status)")
    assertEnd(try sync(first), 0)
  }

  func testF8_aServerThatGoesOverToHTTPSKeepsItsCatalog() async throws {
    let server = try await mirrored()
    let certificate = try Certificate(in: base)
    let secure = try serve(nil, NginxServer.Options(certificate: certificate))
    let trust = ["--ca-file", certificate.file.path]
    assertEnd(try sync(secure.url + Self.catalogName, trust), 0)
    assertEnd(try sync(secure.url + Self.catalogName + "?v=2", trust), 0)
    // And not back again, nor to another catalog there, nor to another server of the same host.
    let kept = secure.url + Self.catalogName
    assertRefused(try sync(server.url + Self.catalogName), 3, saying: kept)
    assertRefused(
      try sync(secure.url + Self.other, trust), 3, saying: kept, secure.url + Self.other)
    let another = try serve(nil, NginxServer.Options(certificate: certificate))
    assertRefused(
      try sync(another.url + Self.catalogName, trust), 3, saying: kept,
      another.url + Self.catalogName)
    assertEnd(try sync(kept, trust), 0)
    try Extent.record(
      "F8", "another catalog's listing into the folder", count: 14,
      "refused with both names and exit 3, by sync and plan, until it is told; nothing was touched")
  }

  /// A copy of four items; another catalog has three of them.
  private func mirrored() async throws -> NginxServer {
    try publish(Self.texts)
    let whole = #"{"catalog":1,"complete":true}"#
    let lines = Self.texts.keys.sorted().map { #"{"key":"\#($0)","version":"1"}"# }
    try writeCatalog([whole] + lines.dropFirst())
    try FileManager.default.moveItem(
      at: source.appending(path: Self.catalogName), to: source.appending(path: Self.other))
    try writeCatalog([whole] + lines)
    let server = try serve()
    assertEnd(try sync(server.url + Self.catalogName), 0)
    XCTAssertEqual(try copied(), Self.texts)
    return server
  }
}
