import SyncDatabase
import SyncText

/// The intention to rename a staged file into its place.
package struct PlacementMark: Hashable, Sendable {
  package var key: CatalogKey
  /// Where its bytes came from.
  package var locator: String?
  /// What will be held, in the state in which the file was staged; a rename changes nothing of it.
  package var content: IndexedContent

  package init(key: CatalogKey, locator: String?, content: IndexedContent) {
    (self.key, self.locator, self.content) = (key, locator, content)
  }
}

extension IndexAccess {
  /// Files that were about to be placed and not recorded, as after a crash.
  ///
  /// Look at the disk: a file that stands in its place in the marked state was placed, and is
  /// recorded with ``IndexWriter/recordPlaced(_:)`` once its rename is durable. What else stands
  /// there is none of them.
  package func unfinishedPlacements() throws -> [PlacementMark] {
    try connection.rows("SELECT * FROM placing ORDER BY number") { row in
      try row.requireChecksum("checksum")
      return try sound(PlacementBatch.marks(in: try row.blob("marks")))
    }.flatMap(\.self)
  }

  /// Where files are about to be placed, or were and aren't recorded. All are read for that.
  package func placingKeys() throws -> Set<CatalogKey> {
    Set(try unfinishedPlacements().map(\.key))
  }

  fileprivate func sound<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw damage("the marks of a batch aren't as they were written") }
    return value
  }
}

extension IndexWriter {
  /// Says that files are about to be placed. Record this before the first rename, and when the
  /// files' bytes are durable.
  package func markPlacing(_ marks: [PlacementMark]) throws {
    guard !marks.isEmpty else { return }
    try connection.run("INSERT INTO placing (marks) VALUES (?1)", PlacementBatch(marks))
  }

  /// Says that what was marked is recorded, or isn't coming.
  package func forgetPlacing(of keys: some Sequence<CatalogKey>) throws {
    let forgotten = Set(keys)
    let batches = try connection.rows("SELECT * FROM placing") { row in
      try row.requireChecksum("checksum")
      return (number: try row.integer("number"), stored: try row.blob("marks"))
    }
    for (number, stored) in batches {
      let keys = try sound(PlacementBatch.keys(in: stored))
      let left = keys.count { !forgotten.contains($0) }
      if left == 0 {
        try connection.run("DELETE FROM placing WHERE number = ?1", number)
      } else if left < keys.count {
        let marks = try sound(PlacementBatch.marks(in: stored))
        try connection.run(
          "UPDATE placing SET marks = ?2 WHERE number = ?1", number,
          PlacementBatch(marks.filter { !forgotten.contains($0.key) }))
      }
    }
  }

  /// Records a file that turned out to be placed. Of an item that the index doesn't know, it
  /// learns what the mark tells; the next listing tells the rest.
  package func recordPlaced(_ mark: PlacementMark) throws {
    if try item(mark.key) == nil {
      var entry = CatalogEntry(
        key: mark.key, locators: mark.locator.map { [$0] } ?? [], version: mark.content.version)
      entry.size = mark.content.size
      entry.sha256 = mark.content.sha256
      try upsert(entry)
    }
    try set(mark.content, of: mark.key)
  }
}

/// The marks of files that are about to be placed together, as one value: a row for each would cost
/// ten times as much.
///
/// A mark is nine values, one after the other: the key, the locator, and those of its content in
/// the order of ``ItemTable/content``. A value is a letter and what follows it:
///
/// | value | letter | what follows |
/// | --- | --- | --- |
/// | NULL | `n` | nothing |
/// | a whole number | `i` | its 8 bytes, the lowest first |
/// | a text | `t` | the number of its bytes in 4 bytes, the lowest first, and they, in UTF-8 |
/// | bytes | `b` | their number in 4 bytes, the lowest first, and they |
struct PlacementBatch: DatabaseValue {
  private static let valuesOfAMark = 9
  private static let usualBytesOfAMark = 256

  private var bytes: [UInt8] = []

  init(_ marks: [PlacementMark]) {
    bytes.reserveCapacity(marks.count * Self.usualBytesOfAMark)
    for mark in marks {
      append(mark.key.storedValue)
      append(mark.locator?.storedValue)
      for value in mark.content.storedValues { append(value) }
    }
  }

  var storedValue: StoredValue { .blob(bytes) }

  private mutating func append(_ value: StoredValue?) {
    switch value {
    case .integer(let number):
      bytes.append(UInt8(ascii: "i"))
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    case .text(var text): text.withUTF8 { append("t", UnsafeRawBufferPointer($0)) }
    case .blob(let blob): blob.withUnsafeBytes { append("b", $0) }
    case .real: preconditionFailure("there is no letter for such a number")
    case nil: bytes.append(UInt8(ascii: "n"))
    }
  }

  private mutating func append(_ letter: Unicode.Scalar, _ content: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: letter))
    withUnsafeBytes(of: UInt32(content.count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: content)
  }

  /// The marks that were stored as these bytes, in their order; `nil` where none were.
  static func marks(in stored: [UInt8]) -> [PlacementMark]? {
    var (marks, reader): ([PlacementMark], _) = ([], PackedValueReader(bytes: stored))
    while !reader.isAtEnd { marks.append(PlacementMark(&reader)) }
    return reader.isDamaged ? nil : marks
  }

  static func keys(in stored: [UInt8]) -> [CatalogKey]? {
    var (keys, reader): ([CatalogKey], _) = ([], PackedValueReader(bytes: stored))
    while !reader.isAtEnd {
      keys.append(CatalogKey(bytes: reader.blob()))
      for _ in 1..<valuesOfAMark { reader.skip() }
    }
    return reader.isDamaged ? nil : keys
  }
}

extension PlacementMark {
  fileprivate init(_ reader: inout PackedValueReader) {
    self.init(
      key: CatalogKey(bytes: reader.blob()), locator: reader.text(),
      content: IndexedContent(
        version: reader.version(), size: reader.integer(), modifiedNanoseconds: reader.integer(),
        inode: UInt64(bitPattern: reader.integer()), sha256: reader.digest(),
        etag: reader.text(), lastModified: reader.text()))
  }
}

/// Reads values that were packed, and finds out where somebody else did it.
private struct PackedValueReader {
  let bytes: [UInt8]
  private var place = 0
  /// Whether something wasn't what it has to be; then there is nothing more to read.
  private(set) var isDamaged = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func integer() -> Int64 {
    take(1).first == UInt8(ascii: "i") ? number() : damage(0)
  }

  mutating func blob() -> [UInt8] {
    take(1).first == UInt8(ascii: "b") ? Array(content()) : damage([])
  }

  mutating func version() -> ItemVersion { ItemVersion(stored: blob()) ?? damage(.unknown) }

  mutating func text() -> String? {
    switch take(1).first {
    case UInt8(ascii: "n"): nil
    case UInt8(ascii: "t"): String(validating: content(), as: UTF8.self) ?? damage(nil)
    default: damage(nil)
    }
  }

  mutating func digest() -> SHA256Digest? {
    switch take(1).first {
    case UInt8(ascii: "n"): nil
    case UInt8(ascii: "b"): SHA256Digest(bytes: Array(content())) ?? damage(nil)
    default: damage(nil)
    }
  }

  mutating func skip() {
    switch take(1).first {
    case UInt8(ascii: "n"): break
    case UInt8(ascii: "i"): _ = take(8)
    case UInt8(ascii: "t"), UInt8(ascii: "b"): _ = content()
    default: damage(())
    }
  }

  private mutating func content() -> ArraySlice<UInt8> {
    let count: UInt32 = number()
    return take(Int(count))
  }

  private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number {
    let taken = take(MemoryLayout<Number>.size)
    guard !taken.isEmpty else { return 0 }
    return taken.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    guard count <= bytes.count - place else { return damage([]) }
    defer { place += count }
    return bytes[place..<place + count]
  }

  private mutating func damage<Value>(_ value: Value) -> Value {
    (isDamaged, place) = (true, bytes.count)
    return value
  }
}
