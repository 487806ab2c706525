import CatalogMirror
import SyncText

extension PackBook {
  /// What a catalog in the lines form says of packs; nothing, where it can't be read. Whatever is
  /// wrong in it is left out, and so are ids of 2^32 and more, which readers don't take: a place
  /// is only a hint.
  init(catalog: [UInt8]) {
    let end = catalog.firstIndex(of: UInt8(ascii: "\n")) ?? catalog.endIndex
    guard let header = try? JSONValue(catalog, in: 0..<end, nesting: 32),
      let packs = header["packs"]
    else { return }
    packs.forEachElement { row in
      guard let row = row.elements, row.count == 3,
        let id = row[0].integer.flatMap(UInt32.init(exactly:)),
        let size = row[1].integer, size > 0,
        let digest = row[2].string.flatMap(SHA256Digest.init(hexadecimal:)), self.packs[id] == nil
      else { return }
      add(NamedPack(id: id, size: size, digest: digest))
    }
    guard !self.packs.isEmpty, end < catalog.endIndex else { return }
    readLines(catalog, from: end + 1)
  }

  private mutating func readLines(_ catalog: [UInt8], from start: Int) {
    var start = start
    while start < catalog.endIndex {
      let end = catalog[start...].firstIndex(of: UInt8(ascii: "\n")) ?? catalog.endIndex
      for one in PackedLine.read(catalog, start..<end) {
        guard let pack = packs[one.place.pack], one.size > 0,
          one.size <= pack.size - Int64(one.place.offset)
        else { continue }
        add(one.digest, size: one.size, at: one.place, isLive: false)
      }
      start = end + 1
    }
  }
}

/// Bytes that an entry, or its preview, says to lie in a pack.
private struct PackedLine {
  var digest: SHA256Digest
  var size: Int64
  var place: PackPlace

  static func read(_ catalog: [UInt8], _ range: Range<Int>) -> [PackedLine] {
    var found: [PackedLine] = []
    let isPlain = catalog.withUnsafeBytes { bytes in
      let line = UnsafeRawBufferPointer(rebasing: bytes[range])
      var scanner = PlainScanner(line)
      return readObject(&scanner, of: line, &found) && scanner.isAtEnd
    }
    guard !isPlain else { return found }
    guard let entry = try? JSONValue(catalog, in: range, nesting: 32) else { return [] }
    return [entry, entry["preview"]].compactMap { $0.flatMap(PackedLine.init) }
  }

  private init?(_ value: JSONValue) {
    guard let digest = value["sha256"]?.string.flatMap(SHA256Digest.init(hexadecimal:)),
      let size = value["size"]?.integer, let place = value["pack"].flatMap(PackPlace.init)
    else { return nil }
    self.init(digest: digest, size: size, place: place)
  }

  private init(digest: SHA256Digest, size: Int64, place: PackPlace) {
    (self.digest, self.size, self.place) = (digest, size, place)
  }

  /// Reads an entry as it is written here; whether it is one.
  private static func readObject(
    _ scanner: inout PlainScanner, of line: UnsafeRawBufferPointer, _ found: inout [PackedLine]
  ) -> Bool {
    var (digest, size, place) = (nil as SHA256Digest?, nil as Int64?, nil as PackPlace?)
    guard scanner.take(UInt8(ascii: "{")) else { return false }
    repeat {
      guard let name = scanner.string(), scanner.take(UInt8(ascii: ":")) else { return false }
      let text = UnsafeRawBufferPointer(rebasing: line[name])
      if text.elementsEqual("sha256".utf8) {
        guard let digits = scanner.string() else { return false }
        digest = SHA256Digest(hexadecimal: UnsafeRawBufferPointer(rebasing: line[digits]))
      } else if text.elementsEqual("size".utf8) {
        guard let number = scanner.wholeNumber() else { return false }
        size = number
      } else if text.elementsEqual("pack".utf8) {
        guard let read = PackPlace(&scanner) else { return false }
        place = read
      } else if text.elementsEqual("preview".utf8) {
        guard readObject(&scanner, of: line, &found) else { return false }
      } else if scanner.string() == nil {
        return false
      }
    } while scanner.take(UInt8(ascii: ","))
    guard scanner.take(UInt8(ascii: "}")) else { return false }
    if let digest, let size, let place {
      found.append(PackedLine(digest: digest, size: size, place: place))
    }
    return true
  }
}
