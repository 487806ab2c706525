import SyncDatabase
import SyncFiles
import SyncText

/// The marks of files that are about to be placed together, as one value.
///
/// A mark is nine ``PackedValues``: the key, the locator, and those of its content in the order of
/// ``ItemTable/content``'s values.
struct PlacementBatch: Hashable, DatabaseValue {
  private static let valuesOfAMark = 9
  private static let usualBytesOfAMark = 256

  private var values = PackedValues()

  /// A batch of these.
  init(_ marks: [PlacementMark]) {
    values.reserveCapacity(marks.count * Self.usualBytesOfAMark)
    for mark in marks {
      values.append(mark.key.storedValue)
      values.append(mark.locator?.storedValue)
      for value in mark.content.storedValues { values.append(value) }
    }
  }

  private init(_ values: PackedValues) { self.values = values }

  var storedValue: StoredValue { .blob(values.bytes) }

  /// Whether it holds no mark.
  var isEmpty: Bool { values.bytes.isEmpty }

  /// The marks that were stored as these bytes, in their order.
  static func marks(in stored: [UInt8]) throws(PackedValueReader.Damage) -> [PlacementMark] {
    var (marks, reader): ([PlacementMark], _) = ([], PackedValueReader(stored))
    while !reader.isAtEnd { marks.append(try PlacementMark(&reader)) }
    return marks
  }

  /// What is left of a batch that was stored as these bytes without the marks of some keys; `nil`
  /// when it has none of them.
  static func without(
    _ keys: Set<CatalogKey>, in stored: [UInt8]
  ) throws(PackedValueReader.Damage) -> PlacementBatch? {
    var (left, reader) = (PackedValues(), PackedValueReader(stored))
    while !reader.isAtEnd {
      let start = reader.place
      guard case .blob(let key)? = try reader.next() else { throw PackedValueReader.Damage() }
      try reader.skip(valuesOfAMark - 1)
      if !keys.contains(CatalogKey(bytes: key)) {
        left.append(packed: reader.bytes(from: start))
      }
    }
    return left.bytes.count < stored.count ? PlacementBatch(left) : nil
  }
}

extension PlacementMark {
  fileprivate init(_ reader: inout PackedValueReader) throws(PackedValueReader.Damage) {
    self.init(
      key: CatalogKey(bytes: try reader.blob()), locator: try reader.optionalText(),
      content: IndexedContent(
        version: try reader.version(), size: try reader.integer(),
        modifiedNanoseconds: try reader.integer(),
        inode: UInt64(bitPattern: try reader.integer()), sha256: try reader.optionalDigest(),
        etag: try reader.optionalText(), lastModified: try reader.optionalText()))
  }
}

extension PackedValueReader {
  fileprivate mutating func integer() throws(Damage) -> Int64 {
    guard case .integer(let number)? = try next() else { throw Damage() }
    return number
  }

  fileprivate mutating func blob() throws(Damage) -> [UInt8] {
    guard case .blob(let bytes)? = try next() else { throw Damage() }
    return bytes
  }

  fileprivate mutating func version() throws(Damage) -> ItemVersion {
    guard let version = ItemVersion(stored: try blob()) else { throw Damage() }
    return version
  }

  fileprivate mutating func optionalText() throws(Damage) -> String? {
    switch try next() {
    case nil: return nil
    case .text(let text): return text
    case .integer, .real, .blob: throw Damage()
    }
  }

  fileprivate mutating func optionalDigest() throws(Damage) -> SHA256Digest? {
    switch try next() {
    case nil: return nil
    case .blob(let bytes):
      guard let digest = SHA256Digest(bytes: bytes) else { throw Damage() }
      return digest
    case .integer, .real, .text: throw Damage()
    }
  }
}
