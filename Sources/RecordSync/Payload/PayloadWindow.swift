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
  /// Of each element the names on the way to it that are to be members of it; none where the path
  /// takes no names.
  var keptNames: [[[UInt8]]] = []
  /// The number of the first one in the payload, whose elements are counted from 1.
  package private(set) var first = 1
  private var offset = 0
  /// Where the elements stood in the payload, where their texts here are others.
  private var starts: [Int] = []
  /// Which of the elements that were read are left, where others were taken out.
  private var left: [Int]?

  static let nesting = 512

  /// An empty window. One that is handed in again keeps its memory.
  package init() {
    tape = JSONTape(nesting: Self.nesting)
  }

  mutating func begin(_ text: PayloadText, first: Int) {
    tape.begin(text.bytes)
    elements.removeAll(keepingCapacity: true)
    (keptNames, starts, left) = ([], [], nil)
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
    let number = left?[index] ?? index
    return PayloadExcerpt(
      number: first + number,
      offset: number < starts.count ? starts[number] : offset + range.lowerBound,
      text: tape.bytes[range])
  }
}

extension PayloadWindow {
  /// Takes all elements out but these.
  mutating func keep(_ places: [Int]) {
    guard places.count < elements.count else { return }
    elements = places.map { elements[$0] }
    left = places
  }

  /// Gives each element the names on the way to it, as members in front of its own.
  ///
  /// - Throws: Where an element has such a member that says something else.
  mutating func keepNames(of path: PayloadPath) throws(PayloadProblem) {
    guard !keptNames.isEmpty else { return }
    let members = path.keptNames.map(\.member)
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for (element, names) in zip(elements, keptNames) {
      let range = tape.range(of: element)
      starts.append(offset + range.lowerBound)
      if tape.kind(of: element) == .object {
        let lacking = try lacking(zip(members, names), in: element, of: path)
        bytes.append(UInt8(ascii: "{"))
        for (member, name) in lacking {
          bytes += JSONText.written(member) + [UInt8(ascii: ":")] + JSONText.written(name)
          bytes.append(UInt8(ascii: ","))
        }
        let isEmpty = tape.inside(element) == tape.end(of: element)
        if isEmpty, !lacking.isEmpty { bytes.removeLast() }
        bytes += tape.bytes[range].dropFirst()
      } else {
        bytes += tape.bytes[range]
      }
      bytes.append(UInt8(ascii: ","))
    }
    var text = PayloadText(bytes: bytes, offset: 0, isLast: true)
    begin(text, first: first)
    for _ in starts {
      guard let root = try text.read(onto: &tape) else { break }
      elements.append(root)
      text.position += 1
    }
    self.starts = starts
  }

  /// The names that an element doesn't have itself.
  private func lacking(
    _ kept: some Sequence<([UInt8], [UInt8])>, in element: JSONTape.Node, of path: PayloadPath
  ) throws(PayloadProblem) -> [([UInt8], [UInt8])] {
    var own: [[UInt8]: JSONTape.Node] = [:]
    tape.forEachMember(of: element) { own[$0] = $1 }
    var lacking: [([UInt8], [UInt8])] = []
    for (member, name) in kept {
      guard let value = own[member] else {
        lacking.append((member, name))
        continue
      }
      let isNumber = tape.kind(of: value) == .number
      let said = isNumber ? Array(tape.bytes[tape.range(of: value)]) : tape.stringBytes(value)
      guard said == name else {
        throw .items(
          path: path.text,
          .nameTaken(member: ByteString.escape(member), name: ByteString.escape(name)))
      }
    }
    return lacking
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
