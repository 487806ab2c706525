package import SyncText

/// A part of a payload that is looked at as a whole: some of its elements, on one tape.
package struct PayloadWindow: Sendable {
  /// The tape that holds the elements.
  package internal(set) var tape: JSONTape
  package internal(set) var elements: [JSONTape.Node] = []
  /// The number of the first one in the payload, whose elements are counted from 1.
  package private(set) var first = 1
  /// Where the tape's bytes begin in the payload.
  private var offset = 0

  /// How deep an element may nest.
  static let nesting = 512

  /// An empty window. One that is handed in again keeps its memory.
  package init() {
    tape = JSONTape(nesting: Self.nesting)
  }

  /// Forgets all, and takes the text from which elements are read next.
  mutating func begin(_ text: PayloadText, first: Int) {
    tape.begin(text.bytes)
    elements.removeAll(keepingCapacity: true)
    offset = text.offset
    self.first = first
  }

  /// Forgets all, the text too.
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
