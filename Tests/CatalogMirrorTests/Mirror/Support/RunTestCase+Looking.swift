import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText

extension RunTestCase {
  func put(_ text: String, at path: String) throws {
    let parent = (path as NSString).deletingLastPathComponent
    try makeFolder(at: parent)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Writes a file into the mirrored folder.
  func place(_ text: String, at name: String) throws {
    try put(text, at: "\(folder)/\(name)")
  }

  /// Changes a file and gives it its old date, so that no look at its metadata can tell.
  func rot(_ name: String, _ text: String) throws {
    let path = "\(folder)/\(name)"
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    let file = try XCTUnwrap(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    try setDate(try XCTUnwrap(date as? Date), of: path)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
  }

  /// The mirrored tree: the texts of all files that don't lie in `.mirror`, by their paths.
  func tree() throws -> [String: String] {
    try files(below: folder).filter { !$0.key.hasPrefix(".mirror/") }
  }

  /// The texts of the files in a directory of `.mirror`, by their paths in it.
  func inside(_ area: String) throws -> [String: String] {
    try files(below: "\(folder)/.mirror/\(area)")
  }

  /// The texts of the files that were moved away, by their paths without the batch.
  func movedAway(to area: String) throws -> [String: String] {
    let files = try inside(area).map { path, text in
      (path.split(separator: "/").dropFirst().joined(separator: "/"), text)
    }
    return Dictionary(files, uniquingKeysWith: { $0 + "|" + $1 })
  }

  func files(below directory: String) throws -> [String: String] {
    var files: [String: String] = [:]
    let paths = FileManager.default.enumerator(atPath: directory)
    for case let path as String in paths ?? .init() {
      let whole = "\(directory)/\(path)"
      let type = try FileManager.default.attributesOfItem(atPath: whole)[.type]
      guard type as? FileAttributeType == .typeRegular else { continue }
      let data = try Data(contentsOf: URL(fileURLWithPath: whole))
      files[path] = String(decoding: data, as: UTF8.self)
    }
    return files
  }

  /// Every path below a directory with its kind, size and date, directories too.
  func listing(of directory: String) throws -> [String: String] {
    var listing: [String: String] = [:]
    let paths = FileManager.default.enumerator(atPath: directory)
    for case let path as String in paths ?? .init() {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(path)")
      let date = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      listing[path] = "\(facts[.type] ?? "") \(facts[.size] ?? "") \(date)"
    }
    return listing
  }

  func exists(_ name: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")) != nil
  }

  /// The rows of the index, by key.
  func rows() async throws -> [String: IndexedItem] {
    try await withIndex { reader in
      var rows: [String: IndexedItem] = [:]
      try reader.forEachItem { rows[$0.key.description] = $0 }
      return rows
    }
  }

  func withIndex<Value: Sendable>(
    _ body: @Sendable (IndexReader) throws -> Value
  ) async throws -> Value {
    let index = try await MirrorIndex.open(
      path: "\(folder)/.mirror/index.sqlite", access: .readOnly)
    let value = try await index.read(body)
    await index.close()
    return value
  }

  /// Why the folder is refused to `body`.
  func folderCode(of body: () async throws -> some Sendable) async -> FolderError.Code? {
    do {
      _ = try await body()
      return nil
    } catch MirrorError.folder(let error) {
      return error.code
    } catch {
      XCTFail("\(error)")
      return nil
    }
  }

  /// What the program does to find out about a folder, and the repair.
  func looks() -> [(String, () async throws -> Void)] {
    let mirror = mirror()
    return [
      ("status", { _ = try await mirror.status() }), ("plan", { _ = try await mirror.plan() }),
      ("verify", { _ = try await mirror.verify() }), ("repair", { _ = try await mirror.repair() }),
    ]
  }

  /// The indexes that were set aside since they were damaged.
  var setAside: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder + "/.mirror")
        .filter { $0.hasPrefix("index-damaged-") && $0.hasSuffix(".sqlite") }.sorted()
    }
  }

  func changeIndex(_ body: @Sendable (IndexWriter) throws -> Void) async throws {
    let index = try await MirrorIndex.open(path: "\(folder)/.mirror/index.sqlite")
    try await index.write(body)
    await index.close()
  }

  /// Whether the index keeps validators for the next run.
  func keepsValidators() async throws -> Bool {
    try await withIndex { reader in
      try reader.connection.row("SELECT count(*) FROM pages") { try $0.integer(0) } ?? 0
    } > 0
  }

  /// The index and the tree agree: every file that it claims is there, as it says.
  func assertIndexIsTrue(line: UInt = #line) async throws {
    let found = try await mirror().verify()
    XCTAssertEqual(found.problems, [], line: line)
    let held = try await rows().values.filter { $0.content != nil }.map(\.key.description)
    let foreign = Set(held).subtracting(try tree().keys)
    XCTAssertEqual(foreign, [], "claimed and not there", line: line)
    XCTAssertEqual(try inside("staging"), [:], "left in staging", line: line)
  }
}
