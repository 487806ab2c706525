import SyncText
import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// F3: two keys that some file systems hold for one name.
final class F3TwinsTests: FaultTestCase {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  func testF3_whereNamesAreKeptApartTwinsAreTwoFiles() async throws {
    let texts = [
      "Name": "1", "name": "two", "NAME": "three", "d/X": "4", "D/x": "five",
      "stra\u{DF}e": "6", "strasse": "seven", "K": "8", "k": "nine",
    ]
    try republish(texts)
    try listTwins(texts, round: 0)
    let server = try serve()
    let outcome = try sync(server.url + Self.catalogName)
    assertEnd(outcome, 0)
    // A dictionary of strings would hold the two forms for one key, so names are bytes here.
    XCTAssertEqual(try count(in: copy), texts.count + 2, "\(outcome)")
    for (name, text) in [(Self.composed, "composed"), (Self.decomposed, "decomposed")] {
      let bytes = try Data(contentsOf: copy.appending(path: name))
      XCTAssertEqual(String(decoding: bytes, as: UTF8.self), text)
    }
    assertEnd(try mirror("verify", copy.path), 0)
    // One of the two goes: the other one stays.
    try listTwins(texts, without: Self.composed, round: 1)
    assertEnd(try sync(server.url + Self.catalogName), 0)
    XCTAssertEqual(try count(in: copy), texts.count + 1)
    XCTAssertEqual(
      try Data(contentsOf: copy.appending(path: Self.decomposed)), Data("decomposed".utf8))
    try await assertEqual(Self.untruths(in: copy), [])
    try Extent.record(
      "F3", "twins by case and by Unicode form on a file system that keeps them apart", count: 6,
      "as many files as keys")
  }

  func testF3_whereCaseIsFoldedTwinsAreRefusedAndTheOthersGoOn() async throws {
    let folder = try mountFolding().appending(path: "copy")
    let twins = ["Name", "name", "d/X", "D/x", "É", "é"]
    let server = try serve()
    try list(twins + ["top", "dd/x"])
    let outcome = try mirror("sync", server.url + Self.catalogName, folder.path)
    assertEnd(outcome, 2)
    for key in twins {
      XCTAssertTrue(outcome.said.contains("mirror: \(key): "), "\(key): \(outcome)")
    }
    XCTAssertEqual(outcome.said.components(separatedBy: "holds both names for one").count - 1, 6)
    XCTAssertEqual(Set(try files(in: folder).keys), ["top", "dd/x"])
    assertEnd(try mirror("verify", folder.path), 0)
    try list(["top", "dd/x"], round: 1)
    assertEnd(try mirror("sync", server.url + Self.catalogName, folder.path), 0)
    assertEnd(try mirror("sync", server.url + Self.catalogName, folder.path), 0)
    try await assertEqual(Self.untruths(in: folder), [])
    try Extent.record(
      "F3", "twins by case on a disk that folds it (exFAT)", count: twins.count, "each refused")
  }

  /// A catalog that only changed the case of a key had its file removed as that of the old key,
  /// right after it had been taken for that of the new one: the folder lacked it, and the run was
  /// done.
  func testF3_aKeyThatOnlyChangesItsCaseKeepsItsFile() async throws {
    let folder = try mountFolding().appending(path: "copy")
    try publish(["one": "one", "two": "two"])
    let server = try serve()
    let catalog = server.url + Self.catalogName
    var round = 0
    func sync(_ entries: [(key: String, url: String)], line: UInt = #line) async throws {
      round += 1
      try writeCatalog(
        [#"{"catalog":1,"complete":true}"#]
          + entries.map { #"{"key":"\#($0.key)","url":"\#($0.url)","size":3}"# }, round: round)
      let outcome = try mirror("sync", catalog, folder.path)
      assertEnd(outcome, 0, line: line)
      try await assertEqual(Self.untruths(in: folder), [], "\(outcome)", line: line)
      XCTAssertEqual(
        try files(in: folder).values.map { String(decoding: $0, as: UTF8.self) }.sorted(),
        entries.map(\.url).sorted(), "\(outcome)", line: line)
      assertEnd(try mirror("verify", folder.path), 0, line: line)
    }
    try await sync([("Name", "one"), ("Dir/x", "one"), ("top", "one")])
    try await sync([("name", "one"), ("dir/x", "one"), ("top", "one")])
    try await sync([("NAME", "one"), ("DIR/X", "one"), ("top", "one"), ("d/y", "two")])
    try await sync([("top", "one")])
  }

  /// Each kind of folding alone: what the probe finds is injected.
  func testF3_whereTheFormIsFoldedTwinsAreRefused() async throws {
    try listTwins(["top": "top"], round: 0)
    let server = try serve()
    for (folding, refused) in [
      (NameFolding(unicodeNormalizing: true), 2),
      (NameFolding(caseFolding: true, unicodeNormalizing: true), 2),
      (NameFolding(caseFolding: true), 0), (NameFolding.none, 0),
    ] {
      try? FileManager.default.removeItem(at: copy)
      var environment = MirrorEnvironment()
      environment.folding = folding
      let mirror = FolderMirror(
        MirrorOptions(catalog: server.url + Self.catalogName, folder: copy.path), in: environment)
      let report = try await mirror.sync()
      XCTAssertEqual(report.failures.count, refused, "\(folding): \(report.failures)")
      XCTAssertEqual(report.outcome, refused == 0 ? .done : .someFailed)
      XCTAssertEqual(try count(in: copy), refused == 0 ? 3 : 1, "\(folding)")
      let again = try await mirror.sync()
      XCTAssertEqual(again.added + again.removed, 0, "\(folding)")
    }
  }

  /// How many files there are, by their bytes.
  private func count(in folder: URL) throws -> Int {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Set(paths.filter { !$0.hasPrefix(".mirror") }.map { Array($0.utf8) }).count { name in
      var isDirectory: ObjCBool = false
      let path = folder.appending(path: String(decoding: name, as: UTF8.self)).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
  }

  func testF3_onFATTwinsByADotAtTheEndAreRefused() async throws {
    try await refuseTwins(["x", "x.", "d/Y", "d/y. ."], on: .vfat)
  }

  func testF3_onHFSPlusTwinsByFormAreRefused() async throws {
    try await refuseTwins([Self.composed, Self.decomposed, "K", "k"], on: .hfsPlus)
  }

  private func refuseTwins(_ twins: [String], on kind: CarriedDisk.Kind) async throws {
    let folder = try mountFolding(kind).appending(path: "copy")
    let server = try serve()
    try list(twins + ["top", "dd/x"])
    let outcome = try mirror("sync", server.url + Self.catalogName, folder.path)
    assertEnd(outcome, 2)
    XCTAssertEqual(
      outcome.said.components(separatedBy: "holds both names for one").count - 1, twins.count,
      "\(kind): \(outcome)")
    XCTAssertEqual(Set(try files(in: folder).keys), ["top", "dd/x"], "\(kind)")
    try await assertEqual(Self.untruths(in: folder), [])
    try Extent.record("F3", "twins on \(kind)", count: twins.count, "each refused")
  }

  private func mountFolding(_ kind: CarriedDisk.Kind = .exFAT) throws -> URL {
    let place = base.appending(path: "folding")
    try mount(kind, at: place)
    return place
  }

  /// Publishes these texts and the two forms of one name, but for one of them.
  private func listTwins(
    _ texts: [String: String], without left: String? = nil, round: Int
  ) throws {
    try publish(texts)
    try publish(["composed": "composed", "decomposed": "decomposed"])
    var lines = texts.map { key, text in
      #"{"key":"\#(key)","size":\#(text.utf8.count)}"#
    }
    for (key, url) in [(Self.composed, "composed"), (Self.decomposed, "decomposed")] {
      if let left, left.utf8.elementsEqual(key.utf8) { continue }
      lines.append(#"{"key":"\#(key)","url":"\#(url)","size":\#(url.utf8.count)}"#)
    }
    try writeCatalog([#"{"catalog":1,"complete":true}"#] + lines.sorted(), round: round)
  }
}
