import CatalogMirror
import Foundation
@testable import SyncText

/// An item as a test publishes it: what the catalog says of it, and its bytes.
struct Thing: Equatable, Sendable {
  var key: String
  var text: String
  var version: String?
  var hasSize = true
  var hasDigest = true
  /// RFC 3339.
  var modified: String?
  var order: Int?
  /// Where the bytes are; by default where the key says.
  var urls: [String]?
  var preview: Preview?
  /// Its place in a pack: the pack's number and the offset.
  var pack: [Int]?

  init(_ key: String, _ text: String, _ change: (inout Thing) -> Void = { _ in }) {
    self.key = key
    self.text = text
    change(&self)
  }

  struct Preview: Equatable, Sendable {
    var url: String
    var text: String
    var version: String?
    var mediaType: String?
    /// Its place in a pack; then its size and digest are listed, too.
    var pack: [Int]?
  }

  /// The entry's line in the catalog.
  func line() throws -> String {
    var fields: [String: Any] = ["key": key]
    fields["version"] = version
    if hasSize { fields["size"] = text.utf8.count }
    if hasDigest { fields["sha256"] = digest(of: text).description }
    fields["modified"] = modified
    fields["order"] = order
    fields["url"] = urls
    fields["pack"] = pack
    if let preview {
      var shown: [String: Any] = ["url": preview.url]
      shown["version"] = preview.version
      if let pack = preview.pack {
        shown["pack"] = pack
        shown["size"] = preview.text.utf8.count
        shown["sha256"] = digest(of: preview.text).description
      }
      fields["preview"] = shown
    }
    let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }
}

/// The digest of a text.
func digest(of text: String) -> SHA256Digest {
  var hasher = SHA256Hasher()
  Array(text.utf8).withUnsafeBytes { hasher.update($0) }
  return hasher.finish()
}

/// A catalog of format 1; without `isComplete` nothing vouches for it.
func catalog(_ things: [Thing], isComplete: Bool = true, header: String = "") throws -> String {
  let complete = isComplete ? #","complete":true"# : ""
  let lines = try [#"{"catalog":1"# + complete + header + "}"] + things.map { try $0.line() }
  return lines.map { $0 + "\n" }.joined()
}
