/// Which column of a result: by its name, or by its place, counted from 0.
///
/// A name is looked for once in the life of a statement; later rows find it where it was. It is a
/// literal, since its address in the program is what it is known by.
package struct Column: Sendable {
  // The characters of a name; `nil` for a place. (Two words, built by the caller: a row of many
  // columns shows the cost of each further one.)
  @usableFromInline nonisolated(unsafe) let start: UnsafePointer<UInt8>?  // a literal's, for ever
  /// The length of the name, or the place.
  @usableFromInline let number: Int

  /// The column of this name (`AS` gives it one). None, or several, is an error.
  @inlinable @inline(__always)
  package init(_ name: StaticString) {
    start = name.utf8Start
    number = name.utf8CodeUnitCount
  }

  /// The column at this place, for results whose columns are known at run time only.
  @inlinable @inline(__always)
  package init(at place: Int) {
    start = nil
    number = place
  }
}

extension Column: ExpressibleByStringLiteral {
  @inlinable @inline(__always)
  package init(stringLiteral name: StaticString) { self.init(name) }
}

extension Column: ExpressibleByIntegerLiteral {
  @inlinable @inline(__always)
  package init(integerLiteral place: Int) { self.init(at: place) }
}

/// The columns that a statement was asked for by name, in the order in which it first was.
///
/// Rows are read in the same order one after the other, so that the name after the last one is
/// nearly always the next in this list.
struct NamedColumns {
  private var known: [(name: UnsafePointer<UInt8>, count: Int, place: Int32)] = []
  private var last = 0

  /// Where the name was found before; `nil` when it wasn't looked for yet.
  mutating func place(of name: UnsafePointer<UInt8>, _ count: Int) -> Int32? {
    let next = last + 1
    if next < known.count, known[next].name == name, known[next].count == count {
      last = next
      return known[next].place
    }
    for place in known.indices where known[place].name == name && known[place].count == count {
      last = place
      return known[place].place
    }
    return nil
  }

  mutating func add(_ name: UnsafePointer<UInt8>, _ count: Int, at place: Int32) {
    last = known.count
    known.append((name, count, place))
  }
}
