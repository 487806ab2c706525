package import Foundation
import SyncText

/// Gives a published catalog packs, as a publisher does: beside it, with the bytes of its small
/// files one behind the other in the order of the catalog.
package enum PackedCatalog {
  /// Packs the files of `catalog.ndjson` in a folder.
  ///
  /// - Parameter size: After how many bytes a pack is full.
  /// - Returns: how many packs there are.
  @discardableResult
  package static func pack(in folder: URL, each size: Int = 8 << 20) throws -> Int {
    let catalog = folder.appending(path: "catalog.ndjson")
    var lines = try String(contentsOf: catalog, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    var packs: [Data] = []
    for place in lines.indices.dropFirst() {
      guard let key = try key(of: lines[place]) else { continue }
      let bytes = try Data(contentsOf: folder.appending(path: key))
      if bytes.isEmpty || bytes.count > 256 << 10 { continue }
      if packs.last.map({ $0.count >= size }) ?? true { packs.append(Data()) }
      let last = packs.count - 1
      lines[place] = adding("\"pack\":[\(packs.count),\(packs[last].count)]", to: lines[place])
      packs[last] += bytes
    }
    let list = packs.enumerated().map { number, pack in
      "[\(number + 1),\(pack.count),\"\(SHA256Digest(of: pack))\"]"
    }
    let members = "\"packs\":[\(list.joined(separator: ","))],\"packsAt\":\"catalog.ndjson.packs/\""
    lines[0] = adding(members, to: lines[0])
    let directory = folder.appending(path: "catalog.ndjson.packs")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for pack in packs {
      try pack.write(to: directory.appending(path: SHA256Digest(of: pack).description))
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: catalog)
    return packs.count
  }

  private static func key(of line: String) throws -> String? {
    let bytes = Array(line.utf8)
    return try JSONValue(bytes, in: bytes.indices, nesting: 8)["key"]?.string
  }

  private static func adding(_ members: String, to line: String) -> String {
    line.dropLast() + "," + members + "}"
  }
}
