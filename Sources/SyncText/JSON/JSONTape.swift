/// JSON text (RFC 8259) that was checked and indexed in one pass, for whoever reads all of it.
///
/// As strict as ``JSONChecker``. Its nodes stand in one list in the order of the text: an object's
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
package struct JSONTape: Sendable {
  /// The text whose values were read last.
  package private(set) var bytes: [UInt8] = []
  private var entries: ContiguousArray<TapeEntry> = []
  private let nesting: Int

  /// An empty tape, for values that nest no deeper than `nesting`.
  package init(nesting: Int) {
    self.nesting = nesting
  }

  /// A value on the tape.
  package struct Node: Hashable, Sendable {
    let place: Int32
  }

  /// What a value is.
  package enum Kind: UInt8, Sendable {
    case null, `false`, `true`, number, string, object, array
  }

  /// Takes other bytes, and forgets what was read.
  package mutating func begin(_ bytes: [UInt8]) {
    self.bytes = bytes
    entries.removeAll(keepingCapacity: true)
  }

  /// Checks and indexes the one value that begins at `start`, or after blanks there; what was read
  /// before stays. Gives the value, and the place of the byte behind it.
  package mutating func append(at start: Int) throws(JSONProblem) -> (root: Node, end: Int) {
    let root = entries.count
    var reader = TapeReader(nesting: nesting, position: start)
    swap(&reader.entries, &entries)
    defer { swap(&reader.entries, &entries) }
    let problem = bytes.withUnsafeBufferPointer { text in
      do throws(JSONProblem) {
        try reader.read(text)
        return nil as JSONProblem?
      } catch {
        return error
      }
    }
    if let problem {
      reader.entries.removeSubrange(root...)
      throw problem
    }
    return (Node(place: Int32(root)), reader.position)
  }

  /// What a value is.
  package func kind(of node: Node) -> Kind { entry(node).kind }

  /// Where a value stands in the bytes, with the quotes of a string.
  package func range(of node: Node) -> Range<Int> {
    let entry = entry(node)
    return Int(entry.start)..<Int(entry.end)
  }

  /// The first name of an object, or the first element of an array; ``end(of:)`` if there is none.
  package func inside(_ node: Node) -> Node { Node(place: node.place + 1) }

  /// The node behind a value and all that is in it.
  package func after(_ node: Node) -> Node { Node(place: entry(node).next) }

  /// Where the way through a value's inside ends.
  package func end(of node: Node) -> Node { after(node) }

  /// Whether it is a string without escapes, whose bytes are those between the quotes.
  package func isPlain(_ node: Node) -> Bool {
    let entry = entry(node)
    return entry.kind == .string && !entry.isEscaped
  }

  /// The bytes of a string, escapes resolved, as ``JSONValue/stringBytes``.
  package func stringBytes(_ node: Node) -> [UInt8]? {
    let entry = entry(node)
    guard entry.kind == .string else { return nil }
    let inside = bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    return entry.isEscaped ? JSONValue.unescape(inside) : Array(inside)
  }

  /// The string, if it is one and valid UTF-8.
  package func string(_ node: Node) -> String? {
    let entry = entry(node)
    guard entry.kind == .string else { return nil }
    let inside = bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    return entry.isEscaped
      ? String(validating: JSONValue.unescape(inside), as: UTF8.self)
      : String(validating: inside, as: UTF8.self)
  }

  /// The integer, if it is a number without fraction and exponent that fits.
  package func integer(_ node: Node) -> Int64? {
    let entry = entry(node)
    guard entry.kind == .number else { return nil }
    return Int64(String(decoding: bytes[Int(entry.start)..<Int(entry.end)], as: UTF8.self))
  }

  /// The number with all that was written of it, if it is one.
  package func number(_ node: Node) -> JSONNumber? {
    let entry = entry(node)
    guard entry.kind == .number else { return nil }
    return JSONNumber(
      checked: String(decoding: bytes[Int(entry.start)..<Int(entry.end)], as: UTF8.self))
  }

  /// The same value as the rest of the house knows it.
  package func value(_ node: Node) -> JSONValue {
    JSONValue(bytes: bytes, checked: range(of: node))
  }

  private func entry(_ node: Node) -> TapeEntry { entries[Int(node.place)] }
}
