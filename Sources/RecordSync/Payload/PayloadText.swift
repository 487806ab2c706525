import SyncText

/// The piece of a payload that is held, and how far it was read.
struct PayloadText: Sendable {
  /// All of the payload, or the part of it that begins at `offset`.
  let bytes: [UInt8]
  /// Where the piece begins in the payload.
  let offset: Int
  /// Whether nothing comes behind it.
  let isLast: Bool
  /// The next byte to be read.
  var position = 0

  /// The next byte; `nil` at the end of the piece.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// How many bytes aren't read yet.
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
