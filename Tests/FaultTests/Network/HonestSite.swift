import Foundation
import TestSupport

@testable import CatalogMirror
@testable import SyncText

/// A catalog of format 1 and its files, as an honest server has them.
struct HonestSite: Sendable {
  /// One item.
  struct Item: Sendable {
    var key: String
    var bytes: [UInt8]
    /// Where the catalog says it is; beside the catalog under its key by default.
    var url: String?
    /// What the catalog says of it.
    var declares: Set<Fact> = [.size, .digest]
  }

  enum Fact: Sendable, CaseIterable { case size, digest }

  static let catalogPath = "/catalog.ndjson"

  var items: [Item]

  init(_ items: [Item]) {
    self.items = items
  }

  /// Texts by their keys.
  init(_ texts: [String: String]) {
    items = texts.sorted { $0.key < $1.key }.map { Item(key: $0, bytes: Array($1.utf8)) }
  }

  /// The lines of the catalog's entries.
  var lines: [String] {
    items.map { item in
      var members = [#""key":"\#(item.key)""#]
      if let url = item.url { members.append(#""url":"\#(url)""#) }
      if item.declares.contains(.size) { members.append(#""size":\#(item.bytes.count)"#) }
      if item.declares.contains(.digest) {
        members.append(#""sha256":"\#(SHA256Digest(of: item.bytes))""#)
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  /// The catalog, whole by its own word.
  var catalog: String { catalog() }

  /// The catalog with further members in its header.
  func catalog(_ header: String = "") -> String {
    #"{"catalog":1,"complete":true,"count":\#(items.count)\#(header)}"# + "\n"
      + lines.map { $0 + "\n" }.joined()
  }

  /// The bytes of every key, as a whole file may hold them.
  var versions: [String: Set<Data>] {
    items.reduce(into: [:]) { $0[$1.key, default: []].insert(Data($1.bytes)) }
  }

  /// What an honest server answers.
  var script: FaultServer.Script {
    let catalog = Array(catalog.utf8)
    let files = Dictionary(
      items.map { ("/" + PercentEncoding.encode(path: $0.key.utf8), $0.bytes) },
      uniquingKeysWith: { first, _ in first })
    return { request, _ in
      if request.path == Self.catalogPath {
        return .honest(catalog, to: request, etag: Self.etag(catalog), type: "application/x-ndjson")
      }
      guard let bytes = files[request.path] else { return FaultAnswer(status: 404) }
      return .honest(bytes, to: request, etag: Self.etag(bytes))
    }
  }

  /// The tag of an honest server: of the bytes.
  static func etag(_ bytes: [UInt8]) -> String {
    "\"\(SHA256Digest(of: bytes).description.prefix(16))\""
  }

  static func digest(of bytes: [UInt8]) -> String { SHA256Digest(of: bytes).description }
}
