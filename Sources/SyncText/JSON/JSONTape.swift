/// JSON text (RFC 8259) that was checked and indexed in one pass, for whoever reads all of it.
///
/// As strict as a ``JSONValue``. Its nodes stand in one list in the order of the text: an object's
/// names and values by turns, an array's elements, all behind the node that holds them.
///
/// ```swift
/// let end = tape.end(of: object)
/// var name = tape.inside(object)
/// while name != end {
///   let value = tape.after(name)
///   …
///   name = tape.after(value)
/// }
/// ```
@usableFromInline
package struct JSONTape: Sendable {
  /// The text whose values were read last.
  @usableFromInline package private(set) var bytes: [UInt8] = []
  @usableFromInline private(set) var entries: ContiguousArray<TapeEntry> = []
  private let nesting: Int
  /// The most bytes of a text, since places in it are kept in 31 bits.
  package static let longest = Int(Int32.max)

  package init(nesting: Int) {
    self.nesting = nesting
  }

  /// A value on the tape.
  @usableFromInline
  package struct Node: Hashable, Sendable {
    @usableFromInline let place: Int32

    @inlinable
    init(place: Int32) {
      self.place = place
    }
  }

  @usableFromInline
  package enum Kind: UInt8, Sendable {
    case null, `false`, `true`, number, string, object, array
  }

  /// How many nodes there are; each takes 16 bytes.
  package var count: Int { entries.count }

  package mutating func begin(_ bytes: [UInt8]) {
    self.bytes = bytes
    entries.removeAll(keepingCapacity: true)
  }

  /// Makes room for so many nodes at once, for who reads one short text only.
  package mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
  }

  /// Checks and indexes the one value that begins at `start`, or after blanks there; what was read
  /// before stays. Gives the value, and the place of the byte behind it.
  ///
  /// - Parameter end: Where the text ends for this value; `nil` for the end of the bytes. A problem
  ///   whose offset is that end may only be that more of the text is wanted.
  /// - Throws: When there is no value, or one that a ``JSONValue`` refuses: the same problem.
  package mutating func append(
    at start: Int, before end: Int? = nil
  ) throws(JSONProblem) -> (root: Node, end: Int) {
    let root = entries.count
    guard bytes.count <= Self.longest, root <= Self.longest - bytes.count else {
      throw JSONProblem(reason: "more than 2 GiB in one piece", offset: 0)
    }
    var taken: ContiguousArray<TapeEntry> = []
    swap(&taken, &entries)
    defer { swap(&taken, &entries) }
    let stop = try bytes.withUnsafeBufferPointer { text throws(JSONProblem) in
      try JSONReader.read(
        UnsafeRawBufferPointer(text), at: start, before: end ?? text.count, nesting: nesting,
        onto: &taken)
    }
    return (Node(place: Int32(root)), stop)
  }

  /// Takes the value that was appended last off the tape.
  package mutating func remove(last root: Node) {
    entries.removeSubrange(Int(root.place)...)
  }
}

extension JSONTape {
  @inlinable
  package func kind(of node: Node) -> Kind { entry(node).kind }

  /// Where a value stands in the bytes, with the quotes of a string.
  @inlinable
  package func range(of node: Node) -> Range<Int> {
    let entry = entry(node)
    return Int(entry.start)..<Int(entry.end)
  }

  /// The first name of an object, or the first element of an array; ``end(of:)`` if there is none.
  @inlinable
  package func inside(_ node: Node) -> Node { Node(place: node.place + 1) }

  /// The node behind a value and all that is in it.
  @inlinable
  package func after(_ node: Node) -> Node { Node(place: entry(node).next) }

  /// Where the way through a value's inside ends.
  @inlinable
  package func end(of node: Node) -> Node { after(node) }

  @inlinable
  func entry(_ node: Node) -> TapeEntry { entries[Int(node.place)] }
}

/// What a ``JSONTape`` keeps of a value.
@usableFromInline
struct TapeEntry: Sendable {
  @usableFromInline let start: UInt32
  @usableFromInline var end: UInt32
  /// The place of the entry behind it and all that is in it.
  @usableFromInline var next: Int32
  @usableFromInline let kind: JSONTape.Kind
  @usableFromInline let isEscaped: Bool

  /// A value without values inside.
  @inline(__always)
  init(_ kind: JSONTape.Kind, _ range: Range<Int>, next: Int, isEscaped: Bool) {
    // A tape takes no text whose places don't fit.
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
    self.next = Int32(truncatingIfNeeded: next)
    self.kind = kind
    self.isEscaped = isEscaped
  }

  /// An object or an array whose end isn't known yet.
  init(opened kind: JSONTape.Kind, at start: Int) {
    self.init(kind, start..<start, next: 0, isEscaped: false)
  }
}
