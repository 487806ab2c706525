/// A JSON value (RFC 8259) that was checked as a whole and is read where it stands in the body.
///
/// The decoders know only this type, so that a reader that streams can take its place.
/// Foundation's readers don't serve here: they fold duplicated members into one, round big numbers,
/// lose the text of what they don't know, and give up on a listing for one name that isn't UTF-8.
package struct JSONValue: Sendable {
  fileprivate let bytes: [UInt8]
  private let range: Range<Int>

  /// Reads the one value in `range` of `bytes`, which may have blanks around it.
  ///
  /// - Parameter endsWhenCancelled: Whether a task that is cancelled stops to read. Default: it
  ///   doesn't, and the value is what it is.
  /// - Throws: when there isn't exactly one value, or it nests deeper than `nesting`.
  package init(
    _ bytes: [UInt8], in range: Range<Int>, nesting: Int, endsWhenCancelled: Bool = false
  ) throws(JSONProblem) {
    self.range = try bytes.withUnsafeBufferPointer { text throws(JSONProblem) in
      try JSONReader.check(
        UnsafeRawBufferPointer(text), in: range, nesting: nesting,
        endsWhenCancelled: endsWhenCancelled)
    }
    self.bytes = bytes
  }

  /// A value that was checked already, or put together from values that were.
  package init(bytes: [UInt8], checked range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  package struct Member: Sendable {
    package let name: [UInt8]
    package let value: JSONValue
    private let nameRange: Range<Int>?

    /// A member with a name that isn't written before its value.
    package init(name: String, value: JSONValue) {
      self.name = Array(name.utf8)
      self.value = value
      nameRange = nil
    }

    /// A member whose name stands at this place in the value's text, quotes included.
    fileprivate init(name range: Range<Int>, value: JSONValue) {
      name = JSONValue.unescape(value.bytes[range.lowerBound + 1..<range.upperBound - 1])
      self.value = value
      nameRange = range
    }

    /// The name as written, quotes included.
    package var nameText: String {
      guard let nameRange else { return "\"\(String(decoding: name, as: UTF8.self))\"" }
      return String(decoding: value.bytes[nameRange], as: UTF8.self)
    }
  }

  package var text: String { String(decoding: bytes[range], as: UTF8.self) }
  package var written: ArraySlice<UInt8> { bytes[range] }

  package var isNull: Bool { first == UInt8(ascii: "n") }
  package var isObject: Bool { first == UInt8(ascii: "{") }
  package var isArray: Bool { first == UInt8(ascii: "[") }

  package var bool: Bool? {
    switch first {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The integer, if it is a number without fraction and exponent that fits: exact or nothing.
  package var integer: Int64? {
    guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
    return Int64(text)
  }

  package var number: JSONNumber? {
    guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
    return JSONNumber(checked: text)
  }

  /// The bytes of a string, escapes resolved. A lone surrogate gives its three bytes, which are no
  /// UTF-8, and so does whatever else the body held that isn't UTF-8.
  package var stringBytes: [UInt8]? {
    guard first == UInt8(ascii: "\"") else { return nil }
    return Self.unescape(bytes[range.lowerBound + 1..<range.upperBound - 1])
  }

  /// The string, if it is one and valid UTF-8.
  package var string: String? {
    stringBytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The elements of an array in their order; `nil` for anything else.
  package var elements: [JSONValue]? {
    guard isArray else { return nil }
    var elements: [JSONValue] = []
    forEachElement { elements.append($0) }
    return elements
  }

  /// Goes through the elements of an array in their order, and holds none of them.
  package func forEachElement(_ body: (JSONValue) -> Void) {
    guard isArray else { return }
    var position = firstInside()
    while bytes[position] != UInt8(ascii: "]") {
      let stop = end(from: position)
      body(JSONValue(bytes: bytes, checked: position..<stop))
      position = next(after: stop)
    }
  }

  /// The members of an object in their order; `nil` for anything else. No name comes twice.
  package var members: [Member]? {
    guard isObject else { return nil }
    var members: [Member] = []
    var position = firstInside()
    while bytes[position] != UInt8(ascii: "}") {
      let nameEnd = end(from: position)
      let start = next(after: nameEnd)
      let stop = end(from: start)
      members.append(
        Member(name: position..<nameEnd, value: JSONValue(bytes: bytes, checked: start..<stop)))
      position = next(after: stop)
    }
    return members
  }

  /// The value of the member of that name, if it is an object that has one. Others are stepped over
  /// and not read.
  package subscript(name: StaticString) -> JSONValue? {
    name.withUTF8Buffer { member(named: $0) }
  }

  package subscript(name: [UInt8]) -> JSONValue? {
    name.withUnsafeBufferPointer { member(named: $0) }
  }

  private func member(named name: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    guard isObject else { return nil }
    var position = firstInside()
    while bytes[position] != UInt8(ascii: "}") {
      let nameEnd = end(from: position)
      let written = bytes[position + 1..<nameEnd - 1]
      let start = next(after: nameEnd)
      let stop = end(from: start)
      let isFound =
        written.contains(UInt8(ascii: "\\"))
        ? Self.unescape(written).elementsEqual(name) : written.elementsEqual(name)
      if isFound { return JSONValue(bytes: bytes, checked: start..<stop) }
      position = next(after: stop)
    }
    return nil
  }

  /// Whether an array has more elements, or an object more members, than that. Read as values, they
  /// would take many times the memory of their text; counting takes none.
  package func holds(moreThan most: Int) -> Bool {
    guard isArray || isObject, range.count > most else { return false }
    let steps = isObject ? 2 : 1  // a name and its value
    var count = 0
    var position = firstInside()
    while bytes[position] != UInt8(ascii: "]"), bytes[position] != UInt8(ascii: "}") {
      count += 1
      if count > most * steps { return true }
      position = next(after: end(from: position))
    }
    return false
  }

  // Below, the text is known to be well-formed.

  private var first: UInt8 { bytes[range.lowerBound] }

  private func firstInside() -> Int { skippingBlanks(from: range.lowerBound + 1) }

  /// Steps over the one comma or colon after a value, if there is one.
  private func next(after stop: Int) -> Int {
    let position = skippingBlanks(from: stop)
    let separates = bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: ":")
    return separates ? skippingBlanks(from: position + 1) : position
  }

  private func skippingBlanks(from position: Int) -> Int {
    var position = position
    while Self.isBlank(bytes[position]) { position += 1 }
    return position
  }

  private func end(from start: Int) -> Int {
    var position = start
    var depth = 0
    repeat {
      switch bytes[position] {
      case UInt8(ascii: "\""): position = endOfString(from: position)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      default:
        position = depth > 0 ? position + 1 : endOfScalar(from: position)
      }
    } while depth > 0
    return position
  }

  private func endOfString(from start: Int) -> Int {
    var position = start + 1
    while bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return position + 1
  }

  private func endOfScalar(from start: Int) -> Int {
    var position = start
    while position < range.upperBound, !",]}".utf8.contains(bytes[position]),
      !Self.isBlank(bytes[position])
    { position += 1 }
    return position
  }

  /// Whether a byte is a blank between values.
  @inlinable
  package static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
