/// The names of one object's members, to find one that comes twice.
///
/// Nearly always a look at one word tells that a name is new: each name sets one of its bits, by
/// its length and its outer bytes. Only where the bit is set already are names compared.
struct TapeNames {
  private var marks: UInt64 = 0
  private var count = 0
  private var many: Set<[UInt8]>?
  /// Among more names, most bits are set.
  private static let fewest = 32

  /// Takes the name that stands last on the tape, of the object at `object`; `false` when it was
  /// there before.
  @inline(__always)
  mutating func insert(
    in entries: borrowing ContiguousArray<TapeEntry>, of object: Int,
    _ text: UnsafeRawBufferPointer
  ) -> Bool {
    let name = entries[entries.count - 1]
    guard count < Self.fewest, !name.isEscaped, many == nil else {
      return insertAmongMany(entries, object, text)
    }
    count += 1
    let mark = Self.mark(name, text)
    if marks & mark == 0 {
      marks |= mark
      return true
    }
    return Self.isNew(entries, object, text)
  }

  /// Of an empty name, the outer bytes are its quotes.
  @inline(__always)
  private static func mark(_ name: TapeEntry, _ text: UnsafeRawBufferPointer) -> UInt64 {
    let first = UInt64(text[Int(name.start) + 1])
    let last = UInt64(text[Int(name.end) - 2])
    let length = UInt64(name.end - name.start)
    let mixed = (first << 16 | last << 8) &+ length &* 0x1_0101
    return 1 &<< ((mixed &* 0x9E37_79B9_7F4A_7C15) &>> 58)
  }

  private static func isNew(
    _ entries: borrowing ContiguousArray<TapeEntry>, _ object: Int,
    _ text: UnsafeRawBufferPointer
  ) -> Bool {
    let last = entries.count - 1
    var place = object + 1
    while place < last {
      if isSame(entries[place], entries[last], text) { return false }
      place = Int(entries[place + 1].next)
    }
    return true
  }

  private static func isSame(
    _ one: TapeEntry, _ other: TapeEntry, _ text: UnsafeRawBufferPointer
  ) -> Bool {
    guard one.end - one.start == other.end - other.start else { return false }
    let distance = Int(other.start) - Int(one.start)
    for place in Int(one.start)..<Int(one.end) where text[place] != text[place + distance] {
      return false
    }
    return true
  }

  @inline(never)
  private mutating func insertAmongMany(
    _ entries: borrowing ContiguousArray<TapeEntry>, _ object: Int,
    _ text: UnsafeRawBufferPointer
  ) -> Bool {
    let last = entries.count - 1
    if many == nil {
      var names: Set<[UInt8]> = []
      var place = object + 1
      while place < last {
        names.insert(Self.bytes(of: entries[place], text))
        place = Int(entries[place + 1].next)
      }
      many = names
    }
    return many?.insert(Self.bytes(of: entries[last], text)).inserted ?? false
  }

  private static func bytes(of name: TapeEntry, _ text: UnsafeRawBufferPointer) -> [UInt8] {
    let bytes = Array(text[Int(name.start) + 1..<Int(name.end) - 1])
    return name.isEscaped ? JSONValue.unescape(bytes[...]) : bytes
  }
}
