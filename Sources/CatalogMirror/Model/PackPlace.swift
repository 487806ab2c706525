package import SyncText

/// Where in a pack the bytes of a file begin, as a catalog says: a file that holds many small ones,
/// one behind the other.
package struct PackPlace: Hashable, Sendable, BitwiseCopyable {
  /// The number that the catalog's header gives the pack.
  package let pack: UInt32
  /// In bytes.
  package let offset: UInt32

  package init(pack: UInt32, offset: UInt32) {
    (self.pack, self.offset) = (pack, offset)
  }

  /// Reads `[pack, offset]`; `nil` for anything else, since it is only a hint.
  package init?(_ value: JSONValue) {
    guard value.isArray, !value.holds(moreThan: 2), let numbers = value.elements,
      numbers.count == 2, let pack = numbers[0].integer.flatMap(UInt32.init(exactly:)),
      let offset = numbers[1].integer.flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(pack: pack, offset: offset)
  }

  /// Reads `[pack, offset]` from where a scanner stands; `nil` for anything else.
  package init?(_ scanner: inout PlainScanner) {
    guard scanner.take(UInt8(ascii: "[")),
      let pack = scanner.wholeNumber().flatMap(UInt32.init(exactly:)),
      scanner.take(UInt8(ascii: ",")),
      let offset = scanner.wholeNumber().flatMap(UInt32.init(exactly:)),
      scanner.take(UInt8(ascii: "]"))
    else { return nil }
    self.init(pack: pack, offset: offset)
  }
}

/// A place in a pack that is no part of what something is: with it and without, two things are
/// equal. It is kept as long as a listing is, and nowhere else.
package struct PackHint: Hashable, Sendable {
  package var place: PackPlace?

  package init(_ place: PackPlace? = nil) { self.place = place }

  package static func == (one: PackHint, other: PackHint) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
