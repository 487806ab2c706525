@testable import CatalogMirror
@testable import SyncText

/// The packs of a simulated publication: one of its previews, and one of the contents that have a
/// digest and a size, one behind the other.
struct PublicationPacks {
  private(set) var bodies: [[UInt8]] = [[], []]
  /// Where each item's content begins, by its key.
  private(set) var contents: [String: Int] = [:]
  /// Where each item's preview begins.
  private(set) var previews: [String: Int] = [:]

  static let directory = "packs/"

  init(_ publication: Publication) {
    for item in publication.list {
      if item.hasSize, item.hasDigest, !item.bytes.isEmpty, item.bytes.count < 256 << 10 {
        contents[item.key] = bodies[1].count
        bodies[1] += item.bytes
      }
      guard let preview = item.preview, !preview.bytes.isEmpty else { continue }
      previews[item.key] = bodies[0].count
      bodies[0] += preview.bytes
    }
  }

  /// The members of the header.
  var header: String {
    let list = bodies.enumerated().filter { !$0.element.isEmpty }.map { number, body in
      "[\(number),\(body.count),\"\(SHA256Digest(of: body))\"]"
    }
    return ",\"packs\":[\(list.joined(separator: ","))],\"packsAt\":\"\(Self.directory)\""
  }

  /// The pack that lies at a path.
  subscript(path: String) -> [UInt8]? {
    bodies.first { Self.directory + SHA256Digest(of: $0).description == path }
  }
}
