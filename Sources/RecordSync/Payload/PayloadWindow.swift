package import SyncText

struct PayloadText: Sendable {
  /// All of the payload, or the part of it that begins at `offset`.
  let bytes: [UInt8]
  let offset: Int
  /// Whether nothing comes behind it.
  let isLast: Bool
  var position = 0

  /// The next byte; `nil` at the end of the piece.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  var left: Int { bytes.count - position }

  mutating func skipBlanks() {
    while position < bytes.count, JSONValue.isBlank(bytes[position]) { position += 1 }
  }

  /// An empty tape over this piece.
  func tape(nesting: Int) -> JSONTape {
    var tape = JSONTape(nesting: nesting)
    tape.begin(bytes)
    return tape
  }

  /// Reads the value that stands next onto a tape over this piece, and steps behind it. `nil`, and
  /// no step, when it doesn't end before `end` and more text may come.
  /// - Parameter element: The number of the element that it is, if it is one.
  mutating func read(
    onto tape: inout JSONTape, before end: Int? = nil, element: Int? = nil
  ) throws(PayloadProblem) -> JSONTape.Node? {
    let end = end ?? bytes.count
    let mayGoOn = end < bytes.count || !isLast
    let read: (root: JSONTape.Node, end: Int)
    do throws(JSONProblem) {
      read = try tape.append(at: position, before: end)
    } catch {
      let place = PayloadProblem.Place(offset: offset + error.offset, element: element)
      guard error.offset == end else { throw .notJSON(reason: error.reason, place) }
      guard mayGoOn else { throw .cut(place) }
      return nil
    }
    // Only a number doesn't say itself where it ends.
    if read.end == end, mayGoOn, tape.kind(of: read.root) == .number {
      tape.remove(last: read.root)
      return nil
    }
    if let fault = fault(before: read.end) {
      throw .notJSON(
        reason: "a byte that is no UTF-8",
        PayloadProblem.Place(offset: offset + fault, element: element))
    }
    position = read.end
    return read.root
  }

  /// Where the value that ends there is no text in UTF-8, which JSON is (RFC 8259, section 8.1).
  private func fault(before end: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      UTF8Fault.first(in: UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
    }.map { position + $0 }
  }
}

/// A part of a payload that is looked at as a whole: some of its elements, on one tape.
package struct PayloadWindow: Sendable {
  package internal(set) var tape: JSONTape
  package internal(set) var elements: [JSONTape.Node] = []
  /// The number of the first one in the payload, whose elements are counted from 1.
  package private(set) var first = 1
  private var offset = 0

  static let nesting = 512

  /// An empty window. One that is handed in again keeps its memory.
  package init() {
    tape = JSONTape(nesting: Self.nesting)
  }

  mutating func begin(_ text: PayloadText, first: Int) {
    tape.begin(text.bytes)
    elements.removeAll(keepingCapacity: true)
    offset = text.offset
    self.first = first
  }

  mutating func clear() {
    tape.begin([])
    elements.removeAll(keepingCapacity: true)
  }

  /// An element as messages name it.
  /// - Parameter index: Its place in ``elements``.
  package func excerpt(of index: Int) -> PayloadExcerpt {
    let range = tape.range(of: elements[index])
    return PayloadExcerpt(
      number: first + index, offset: offset + range.lowerBound, text: tape.bytes[range])
  }
}

/// An element of a payload as messages name it: which, where, and how it begins.
public struct PayloadExcerpt: Sendable, Equatable {
  let number: Int
  let offset: Int
  /// Its text, cut after 80 bytes and escaped, fit for every output.
  let text: String

  private static let longest = 80

  init(number: Int, offset: Int, text: ArraySlice<UInt8>) {
    self.number = number
    self.offset = offset
    let isCut = text.count > Self.longest
    var start = text.prefix(Self.longest)
    // No character is cut in two.
    if isCut {
      while let last = start.last, last & 0xC0 == 0x80 { start.removeLast() }
      if let last = start.last, last >= 0xC0 { start.removeLast() }
    }
    self.text = ByteString.escape(start) + (isCut ? "…" : "")
  }
}

extension PayloadExcerpt {
  /// `element 3, at byte 120: {"id":7,…`
  var words: String { "element \(number), at byte \(offset): \(text)" }
}
