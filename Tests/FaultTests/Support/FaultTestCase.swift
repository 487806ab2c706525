import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText
@testable import SyncFiles

/// A row of the matrix: a real `mirror` under a real fault, and afterwards the four things that
/// must be true whatever the fault was.
class FaultTestCase: MirrorTestCase {
  /// A folder beside the copy that no run may ever touch.
  var canary: URL { base.appending(path: "canary") }
  private var canaryBefore: [String: String] = [:]

  override func setUpWithError() throws {
    try super.setUpWithError()
    try makeFolder(at: canary.appending(path: "deep"))
    try Data("canary".utf8).write(to: canary.appending(path: "bird"))
    try Data("canary in the mine".utf8).write(to: canary.appending(path: "deep/bird"))
    canaryBefore = try Self.traces(in: canary)
  }

  override func tearDownWithError() throws {
    assertCanaryIsWell()
    try super.tearDownWithError()
  }

  /// The first three of the four: whole files only, nothing outside changed, the index true.
  ///
  /// - Parameter versions: The bytes that each key ever had, at the source or by the user's hand.
  func assertNothingIsLost(
    of versions: [String: Set<Data>], in folder: URL? = nil, _ claim: @autoclosure () -> String,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    for (path, bytes) in try files(in: folder ?? copy) {
      let isWhole = versions[path]?.contains(bytes) ?? false
      XCTAssertTrue(
        isWhole, "\(path) is torn (\(bytes.count) bytes); \(claim())", file: file, line: line)
    }
    assertCanaryIsWell(file: file, line: line)
    for problem in try await Self.untruths(in: folder ?? copy) {
      XCTFail("\(problem); \(claim())", file: file, line: line)
    }
  }

  /// The fourth: a run without a fault makes the copy equal to `source`, and one more has nothing
  /// to do: it makes one request, and the copy stays as it is.
  ///
  /// - Parameters:
  ///   - catalog: Of a server that sends validators.
  ///   - held: The targets of requests that aren't made any more, since the index has what they
  ///     would bring.
  func assertConverges(
    _ catalog: String, _ options: [String] = [], on server: NginxServer, publishing name: String,
    notAsking held: Set<String> = [], _ claim: @autoclosure () -> String = "",
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    _ = try server.takeRequests()
    let next = try sync(catalog, options)
    XCTAssertEqual(next.end, .exited(0), "\(claim())\n\(next)", file: file, line: line)
    let again = try server.takeRequests().map(\.target).filter(held.contains)
    XCTAssertEqual(again, [], "fetched again; \(claim())", file: file, line: line)
    try assertCopyIsTrue(except: [name], file: file, line: line)
    let before = try tree()
    assertEnd(try sync(catalog, options), 0, file: file, line: line)
    XCTAssertEqual(
      try server.takeRequests().map(\.status), [304], "more than a look; \(claim())", file: file,
      line: line)
    let after = try tree()
    XCTAssertEqual(after, before, "touched", file: file, line: line)
  }

  private func assertCanaryIsWell(file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(try Self.traces(in: canary), canaryBefore, "the canary", file: file, line: line)
  }

  /// Everything that can be told of what lies below a folder: kind, inode, size, date and bytes.
  static func traces(in folder: URL) throws -> [String: String] {
    let files = FileManager.default
    return try files.subpathsOfDirectory(atPath: folder.path).reduce(into: [:]) { traces, path in
      let whole = folder.appending(path: path)
      let facts = try files.attributesOfItem(atPath: whole.path)
      let isFile = facts[.type] as? FileAttributeType == .typeRegular
      let bytes = isFile ? try Data(contentsOf: whole).base64EncodedString() : ""
      let date = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      traces[path] =
        "\(facts[.type] ?? "") \(facts[.systemFileNumber] ?? "") \(facts[.size] ?? "") \(date) "
        + bytes
    }
  }

  /// What an index claims: its rows, and the files that were about to be placed and turn out to be.
  static func claims(of index: MirrorIndex, in folder: URL) async throws -> [IndexedItem] {
    let (rows, marks) = try await index.read { reader in
      var rows: [IndexedItem] = []
      try reader.forEachItem { rows.append($0) }
      return (rows, try reader.unfinishedPlacements())
    }
    let tree = try MirrorFolder.inspect(path: folder.path)
    let placed = try marks.filter { mark in
      guard let found = try tree?.look(at: RelativePath(mark.key)) else { return false }
      return mark.content.stamp.matches(found)
    }
    var claims = Dictionary(rows.map { ($0.key, $0) }) { $1 }
    for mark in placed {
      let entry = CatalogEntry(key: mark.key, locators: [], version: mark.content.version)
      claims[mark.key, default: IndexedItem(entry: entry)].content = mark.content
      claims[mark.key]?.state = .present
    }
    return claims.values.sorted { $0.key < $1.key }
  }

  /// What the index claims and isn't so; nothing where there is no index to claim anything.
  static func untruths(in folder: URL) async throws -> [String] {
    try await rows(in: folder).compactMap { row in
      guard row.state == .present, let content = row.content else { return nil }
      let file = folder.appending(path: String(decoding: row.key.bytes, as: UTF8.self))
      guard let bytes = try? Data(contentsOf: file) else {
        return "the index claims \(row.key), which isn't there"
      }
      var hasher = SHA256Hasher()
      bytes.withUnsafeBytes { hasher.update($0) }
      let digest = hasher.finish()
      let isTrue = Int64(bytes.count) == content.size && content.sha256 ?? digest == digest
      return isTrue ? nil : "the index claims other bytes of \(row.key)"
    }
  }

  /// What the index of a folder claims. A copy of it is read, so that the run that comes next finds
  /// the log and the half-made file that the last one left.
  static func rows(in folder: URL) async throws -> [IndexedItem] {
    let files = FileManager.default
    let name = "index.sqlite"
    let control = folder.appending(path: ".mirror")
    guard isThere(control.appending(path: name)) else { return [] }
    let aside = files.temporaryDirectory.appending(path: "index-\(UUID().uuidString)")
    try makeFolder(at: aside)
    defer { try? files.removeItem(at: aside) }
    for suffix in ["", "-wal", "-journal"] {
      let file = control.appending(path: name + suffix)
      guard isThere(file) else { continue }
      try files.copyItem(at: file, to: aside.appending(path: name + suffix))
    }
    let index = try await MirrorIndex.open(path: aside.appending(path: name).path)
    let rows = try await claims(of: index, in: folder)
    await index.close()
    return rows
  }
}
