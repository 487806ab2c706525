import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

extension FaultTestCase {
  /// The name of the catalog that ``republish(_:previews:round:)`` writes.
  static let catalogName = "catalog.ndjson"

  /// Makes `source` hold these texts and nothing else, and writes their catalog.
  ///
  /// - Parameters:
  ///   - previews: Texts of previews, by the key of their item.
  ///   - round: Catalogs of different rounds have different dates, so that a server which compares
  ///     seconds sees each of them.
  func republish(
    _ texts: [String: String], previews: [String: String] = [:], round: Int = 0
  ) throws {
    let files = FileManager.default
    // The catalog stays: from it the next one has its number.
    for name in try files.contentsOfDirectory(atPath: source.path) where name != Self.catalogName {
      try files.removeItem(at: source.appending(path: name))
    }
    try publish(texts, dated: Self.longAgo.addingTimeInterval(Double(round)))
    var options = CatalogWriter.Options()
    if !previews.isEmpty {
      options.previews = "previews"
      let pairs = previews.map { ("previews/\($0).txt", $1) }
      try publish(
        Dictionary(uniqueKeysWithValues: pairs),
        dated: Self.longAgo.addingTimeInterval(Double(round)))
    }
    _ = try CatalogWriter(folder: source.path, options: options).write()
    try setDate(
      Self.longAgo.addingTimeInterval(Double(round)), of: source.appending(path: Self.catalogName))
  }

  /// A server of these texts, of which `copy` is a mirror.
  func mirrored(_ texts: [String: String]) throws -> NginxServer {
    try republish(texts)
    let server = try serve()
    assertEnd(try sync(server.url + Self.catalogName), 0)
    return server
  }

  /// Publishes a whole catalog of these keys, whose bytes all come from one file.
  func list(_ keys: [String], round: Int = 0) throws {
    try publish(["bytes": "bytes"])
    try writeCatalog(
      [#"{"catalog":1,"complete":true}"#]
        + keys.map { #"{"key":"\#($0)","url":"bytes","size":5}"# }, round: round)
  }

  /// Writes a catalog of format 1 as its lines are, beside the files of `source`.
  func writeCatalog(_ lines: [String], round: Int = 0) throws {
    let file = source.appending(path: Self.catalogName)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    try setDate(Self.longAgo.addingTimeInterval(Double(round)), of: file)
  }

  /// The fourth thing, when ``republish(_:previews:round:)`` wrote the catalog.
  func assertConverges(
    on server: NginxServer, _ options: [String] = [], file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    try assertConverges(
      server.url + Self.catalogName, options, on: server, publishing: Self.catalogName,
      file: file, line: line)
  }
}

/// The bytes that each key ever had.
struct Versions {
  private(set) var all: [String: Set<Data>] = [:]

  init(_ texts: [String: String] = [:]) { add(texts) }

  mutating func add(_ texts: [String: String]) {
    for (key, text) in texts { all[key, default: []].insert(Data(text.utf8)) }
  }
}
