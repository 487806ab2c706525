import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// Files of ours that somebody edited, touched, removed or replaced, or whose bits rotted, while
/// the catalog says that nothing changed.
final class F20LocalDamageTests: FaultTestCase {
  /// What a sync makes of a change while the catalog answers 304.
  private enum BySync {
    /// Nothing is wrong: nothing is fetched.
    case nothing
    /// The file is fetched again; what stood there is displaced, `nil` when nothing stood there.
    case repaired(displaced: Data?)
    /// Nothing tells: only a look at every byte finds it.
    case unnoticed
    /// It is in the way and isn't ours to move: one failed item, told of.
    case refused
  }

  private struct Damage {
    let name: String
    let bySync: BySync
    let damage: (URL) throws -> Void

    init(_ name: String, _ bySync: BySync, _ damage: @escaping (URL) throws -> Void) {
      (self.name, self.bySync, self.damage) = (name, bySync, damage)
    }
  }

  private static let text = String(repeating: "the text of an item\n", count: 100)
  private static let original = Data(text.utf8)
  private static let key = "d/item"
  private var server: NginxServer?
  private var catalog = ""

  /// The bytes with one bit changed.
  private static let rotten: Data = {
    var bytes = original
    bytes[777] ^= 1
    return bytes
  }()

  private var damages: [Damage] {
    let manager = FileManager.default
    let edited = Data("edited".utf8) + Self.original
    return [
      Damage("touched", .nothing) { try Self.date($0, 1_600_000_000) },
      Damage("copied back", .nothing) { file in
        try manager.removeItem(at: file)
        try Self.original.write(to: file)
      },
      Damage("hard linked from elsewhere", .nothing) { [base] file in
        let place = base.appending(path: "elsewhere")
        try? manager.removeItem(at: place)
        try Self.original.write(to: place)
        try manager.removeItem(at: file)
        try manager.linkItem(at: place, to: file)
      },
      Damage("a second hard link to it", .nothing) { [base] file in
        let place = base.appending(path: "second")
        try? manager.removeItem(at: place)
        try manager.linkItem(at: file, to: place)
      },
      Damage("rights taken", .nothing) { chmod($0.path, 0) },
      Damage("edited", .repaired(displaced: edited)) { try edited.write(to: $0) },
      Damage("edited in place, same size", .repaired(displaced: Self.rotten)) {
        try Self.write(Self.rotten, into: $0)
      },
      Damage("truncated", .repaired(displaced: Self.original.prefix(500))) {
        try Self.write(Self.original.prefix(500), into: $0)
      },
      Damage("emptied", .repaired(displaced: Data())) { try Self.write(Data(), into: $0) },
      Damage("removed", .repaired(displaced: nil)) { try manager.removeItem(at: $0) },
      Damage("removed with its directory", .repaired(displaced: nil)) {
        try manager.removeItem(at: $0.deletingLastPathComponent())
      },
      Damage("hard linked to another file", .repaired(displaced: Data("other".utf8))) {
        [base] file in
        let place = base.appending(path: "other")
        try Data("other".utf8).write(to: place)
        try manager.removeItem(at: file)
        try manager.linkItem(at: place, to: file)
      },
      Damage("replaced by an empty directory", .repaired(displaced: nil)) { file in
        try manager.removeItem(at: file)
        try makeFolder(at: file)
      },
      Damage("its directory replaced by a file", .repaired(displaced: Data("file".utf8))) { file in
        let directory = file.deletingLastPathComponent()
        try manager.removeItem(at: directory)
        try Data("file".utf8).write(to: directory)
      },
      Damage("replaced by a link", .refused) { [canary] file in
        try manager.removeItem(at: file)
        try makeLink(at: file, to: canary.appending(path: "bird"))
      },
      Damage("replaced by a FIFO", .refused) { file in
        try manager.removeItem(at: file)
        mkfifo(file.path, 0o644)
      },
      Damage("a bit flipped, size and date kept", .unnoticed) { file in
        var status = stat()
        stat(file.path, &status)
        try Self.write(Self.rotten, into: file)
        var times = [status.st_atim, status.st_mtim]
        utimensat(AT_FDCWD, file.path, &times, 0)
      },
    ]
  }

  private static func write(_ bytes: Data, into file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  private static func date(_ file: URL, _ seconds: Double) throws {
    try setDate(Date(timeIntervalSince1970: seconds), of: file)
  }

  private func makeCopy() throws {
    try? FileManager.default.removeItem(at: copy)
    if server == nil {
      try publish([Self.key: Self.text, "e": "another"])
      try publish(["previews/\(Self.key).txt": "small \(Self.text)"])
      try publishCatalog("--previews", "previews")
      server = try serve()
    }
    catalog = try XCTUnwrap(server).url + "catalog.ndjson"
    assertEnd(try sync(catalog, ["--previews"]), 0)
    _ = try server?.takeRequests()
  }

  func testF20_syncRepairsWhatTheMetadataTellsAndKeepsTheEditAside() async throws {
    for damage in damages {
      try makeCopy()
      let file = copy.appending(path: Self.key)
      try damage.damage(file)
      let outcome = try sync(catalog, ["--previews"])
      let requests = try XCTUnwrap(server).takeRequests().map(\.description)
      let claim = "\(damage.name): \(outcome), \(requests)"
      switch damage.bySync {
      case .nothing:
        XCTAssertEqual(outcome.end, .exited(0), claim)
        XCTAssertEqual(requests, ["GET /catalog.ndjson 304"], claim)
        XCTAssertEqual(try Data(contentsOf: file), Self.original, claim)
        XCTAssertEqual(try displaced(), [], claim)
      case .repaired(let aside):
        XCTAssertEqual(outcome.end, .exited(0), claim)
        XCTAssertEqual(requests, ["GET /catalog.ndjson 304", "GET /\(Self.key) 200"], claim)
        XCTAssertEqual(try Data(contentsOf: file), Self.original, claim)
        XCTAssertEqual(try displaced(), [aside].compactMap(\.self), claim)
        XCTAssertTrue(outcome.printed.contains("1 repaired"), claim)
        XCTAssertEqual(outcome.printed.contains("displaced"), aside != nil, claim)
      case .unnoticed:
        XCTAssertEqual(outcome.end, .exited(0), claim)
        XCTAssertEqual(try Data(contentsOf: file), Self.rotten, claim)
        continue
      case .refused:
        XCTAssertEqual(outcome.end, .exited(2), claim)
        XCTAssertTrue("\(outcome)".contains("move it away"), claim)
        try FileManager.default.removeItem(at: file)
        assertEnd(try sync(catalog, ["--previews"]), 0)
      }
      try await assertAllIsWell(claim)
    }
    try Extent.record(
      "F20",
      "a file of ours edited, cut, touched, removed, replaced, linked, while the catalog says 304",
      count: damages.count,
      "touched: hashed, nothing fetched; else repaired, what stood there displaced")
  }

  func testF20_verifyRepairMendsWhateverWasDone() async throws {
    for damage in damages {
      try makeCopy()
      let file = copy.appending(path: Self.key)
      try damage.damage(file)
      let outcome = try mirror("verify", copy.path, "--repair")
      let claim = "\(damage.name): \(outcome)"
      var aside: [Data] = []
      switch damage.bySync {
      case .nothing: XCTAssertEqual(outcome.end, .exited(0), claim)
      case .repaired(let edit): aside = [edit].compactMap(\.self)
      case .unnoticed: aside = [Self.rotten]
      case .refused:
        XCTAssertEqual(outcome.end, .exited(2), claim)
        XCTAssertTrue("\(outcome)".contains("move it away"), claim)
        try FileManager.default.removeItem(at: file)
        assertEnd(try mirror("verify", copy.path, "--repair"), 0)
      }
      if case .refused = damage.bySync {} else { XCTAssertEqual(outcome.end, .exited(0), claim) }
      XCTAssertEqual(try Data(contentsOf: file), Self.original, claim)
      XCTAssertEqual(try displaced(), aside, claim)
      assertEnd(try mirror("verify", copy.path), 0)
      try await assertAllIsWell(claim)
    }
    try Extent.record(
      "F20", "the same, and a bit flipped with size and date kept; verify --repair",
      count: damages.count, "every file right again, what stood there displaced")
  }

  func testF20_aDamagedPreviewIsFetchedAgain() async throws {
    for damage in damages {
      try makeCopy()
      let folder = copy.appending(path: ".mirror/previews")
      let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
      let file = folder.appending(path: name)
      try damage.damage(file)
      let outcome: ProgramOutcome
      if case .unnoticed = damage.bySync {
        outcome = try mirror("verify", copy.path, "--repair")
      } else {
        outcome = try sync(catalog, ["--previews"])
      }
      let claim = "\(damage.name): \(outcome)"
      if case .repaired = damage.bySync, damage.name.contains("directory") {
        // Nobody's business but ours to look at: told of, and then mended by hand.
        if outcome.end != .exited(0) {
          XCTAssertTrue("\(outcome)".contains("move it away"), claim)
          try? FileManager.default.removeItem(at: file)
          try? FileManager.default.removeItem(at: folder)
          assertEnd(try sync(catalog, ["--previews"]), 0)
        }
      } else {
        XCTAssertEqual(outcome.end, .exited(0), claim)
      }
      XCTAssertEqual(try Data(contentsOf: file), Data("small \(Self.text)".utf8), claim)
      try await assertAllIsWell(claim)
    }
    try Extent.record(
      "F20", "the same of a preview", count: damages.count, "fetched again where it isn't right")
  }

  /// The four assertions; a further run does nothing.
  private func assertAllIsWell(_ claim: String) async throws {
    let whole = try files(in: source).filter { ["e", Self.key].contains($0.key) }
    XCTAssertEqual(try files(in: copy), whole, claim)
    try await assertNothingIsLost(of: whole.mapValues { [$0] }, claim)
    _ = try server?.takeRequests()
    let again = try sync(catalog, ["--previews"])
    XCTAssertEqual(again.end, .exited(0), "\(again); \(claim)")
    XCTAssertEqual(try server?.takeRequests().map(\.target), ["/catalog.ndjson"], claim)
  }

  private func displaced() throws -> [Data] {
    let folder = copy.appending(path: ".mirror/displaced")
    guard isThere(folder) else { return [] }
    return Array(try files(in: folder).values)
  }
}
