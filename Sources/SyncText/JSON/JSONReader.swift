/// Reads one JSON value (RFC 8259): onto a tape, or only to check it.
///
/// Stricter than Foundation where a catalog needs it: a member name that comes twice is an error,
/// nesting has a limit of ours, and bytes in strings are left as they are.
struct JSONReader {
  private let text: UnsafeRawBufferPointer
  private let end: Int
  private let nesting: Int
  /// Whether it only checks: then the tape holds the members of the objects that are open, each
  /// as a name and one entry for its value, and nothing else.
  private let onlyChecks: Bool
  private var position: Int
  private var entries: ContiguousArray<TapeEntry> = []
  /// How many values were checked and dropped.
  private var dropped = 0
  private var endsWhenCancelled = false

  /// Appends the value to `entries`, and nothing when it throws. Gives the place behind the value.
  static func read(
    _ text: UnsafeRawBufferPointer, at start: Int, before end: Int, nesting: Int,
    onto entries: inout ContiguousArray<TapeEntry>
  ) throws(JSONProblem) -> Int {
    precondition(0 <= start && start <= end && end <= text.count, "a place outside of the text")
    var reader = JSONReader(text, before: end, nesting: nesting, onlyChecks: false, at: start)
    swap(&reader.entries, &entries)
    defer { swap(&reader.entries, &entries) }
    let root = reader.entries.count
    do throws(JSONProblem) {
      reader.skipBlanks()
      try reader.value(depth: 0)
    } catch {
      reader.entries.removeSubrange(root...)
      throw error
    }
    return reader.position
  }

  /// Gives the range of the one value in `range`, behind which only blanks may follow.
  ///
  /// - Parameter endsWhenCancelled: Whether a cancelled task soon gets a problem, whatever follows.
  static func check(
    _ text: UnsafeRawBufferPointer, in range: Range<Int>, nesting: Int, endsWhenCancelled: Bool
  ) throws(JSONProblem) -> Range<Int> {
    guard range.upperBound <= JSONTape.longest else {
      throw JSONProblem(reason: "more than 2 GiB in one piece", offset: 0)
    }
    var reader = JSONReader(
      text, before: range.upperBound, nesting: nesting, onlyChecks: true, at: range.lowerBound)
    reader.endsWhenCancelled = endsWhenCancelled
    reader.skipBlanks()
    let start = reader.position
    try reader.value(depth: 0)
    let stop = reader.position
    reader.skipBlanks()
    guard reader.position == reader.end else { throw reader.problem("more after its end") }
    return start..<stop
  }

  private init(
    _ text: UnsafeRawBufferPointer, before end: Int, nesting: Int, onlyChecks: Bool,
    at position: Int
  ) {
    self.text = text
    self.end = end
    self.nesting = nesting
    self.onlyChecks = onlyChecks
    self.position = position
  }

  private mutating func value(depth: Int) throws(JSONProblem) {
    switch peek {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), 0x30...0x39: try number()
    case UInt8(ascii: "{"): try object(depth: depth + 1)
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "t"): try word("true", .true)
    case UInt8(ascii: "f"): try word("false", .false)
    case UInt8(ascii: "n"): try word("null", .null)
    default:
      throw problem(
        position < end ? "something that begins no value" : "an end where a value should be")
    }
  }

  private mutating func object(depth: Int) throws(JSONProblem) {
    let place = try enter(.object, depth)
    if !take(UInt8(ascii: "}")) {
      var names = TapeNames()
      repeat {
        skipBlanks()
        guard peek == UInt8(ascii: "\"") else { throw problem("no member name in quotes") }
        try string()
        guard names.insert(in: entries, of: place, text) else {
          throw problem("a member name that stands twice in one object")
        }
        guard take(UInt8(ascii: ":")) else { throw problem("no colon after a member name") }
        skipBlanks()
        let member = entries.count
        try value(depth: depth)
        if onlyChecks { try drop(behind: member) }
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw problem("an object that isn't closed") }
    }
    leave(place)
  }

  private mutating func array(depth: Int) throws(JSONProblem) {
    let place = try enter(.array, depth)
    if !take(UInt8(ascii: "]")) {
      repeat {
        skipBlanks()
        try value(depth: depth)
        if onlyChecks { try drop(behind: place) }
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw problem("an array that isn't closed") }
    }
    leave(place)
  }

  private mutating func enter(_ kind: JSONTape.Kind, _ depth: Int) throws(JSONProblem) -> Int {
    guard depth <= nesting else { throw problem("more than \(nesting) levels of nesting") }
    entries.append(TapeEntry(opened: kind, at: position))
    position += 1
    return entries.count - 1
  }

  private mutating func leave(_ place: Int) {
    entries[place].end = UInt32(truncatingIfNeeded: position)
    entries[place].next = Int32(truncatingIfNeeded: entries.count)
  }

  /// Takes off the tape what stands behind an entry, whose value holds nothing from then on.
  private mutating func drop(behind place: Int) throws(JSONProblem) {
    entries.removeSubrange((place + 1)...)
    entries[place].next = Int32(truncatingIfNeeded: place + 1)
    dropped += 1
    if dropped & 0xFFF == 0, endsWhenCancelled, Task.isCancelled {
      throw problem("its reading cancelled")
    }
  }

  @inline(__always)
  private mutating func add(_ kind: JSONTape.Kind, from start: Int, isEscaped: Bool = false) {
    entries.append(
      TapeEntry(kind, start..<position, next: entries.count + 1, isEscaped: isEscaped))
  }

  private mutating func string() throws(JSONProblem) {
    let start = position
    var isEscaped = false
    position += 1
    while true {
      position = ByteMarks.endOfPlainText(in: text, from: position, before: end)
      switch peek {
      case UInt8(ascii: "\""):
        position += 1
        add(.string, from: start, isEscaped: isEscaped)
        return
      case UInt8(ascii: "\\"):
        isEscaped = true
        position += 1
        try escape()
      default:
        throw problem(
          position < end ? "a bare control character in a string" : "a string that isn't closed")
      }
    }
  }

  private mutating func escape() throws(JSONProblem) {
    guard position < end else { throw problem("a string that isn't closed") }
    let kind = text[position]
    position += 1
    if kind == UInt8(ascii: "u") {
      for _ in 0..<4 {
        guard Hexadecimal.value(ofDigit: peek) != nil else {
          throw problem("a \\u without four hexadecimal digits")
        }
        position += 1
      }
    } else if !"\"\\/bfnrt".utf8.contains(kind) {
      throw problem("an unknown escape in a string")
    }
  }

  private mutating func number() throws(JSONProblem) {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    if peek == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if peek == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if peek | 0x20 == UInt8(ascii: "e") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    add(.number, from: start)
  }

  private mutating func digits() throws(JSONProblem) {
    let start = position
    while position < end, text[position] &- 0x30 < 10 { position += 1 }
    guard position > start else { throw problem("a number without digits") }
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONTape.Kind
  ) throws(JSONProblem) {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard peek == word.utf8Start[index] else { throw problem("something that begins no value") }
      position += 1
    }
    add(kind, from: start)
  }

  /// The next byte; 0, which stands in no JSON, at the end.
  @inline(__always)
  private var peek: UInt8 { position < end ? text[position] : 0 }

  @inline(__always)
  private mutating func skipBlanks() {
    while position < end, text[position] <= 0x20, JSONValue.isBlank(text[position]) {
      position += 1
    }
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard peek == byte else { return false }
    position += 1
    return true
  }

  @inline(never)
  private func problem(_ reason: String) -> JSONProblem {
    JSONProblem(reason: reason, offset: position)
  }
}

/// Where and why bytes are not the JSON that is accepted here (RFC 8259, without duplicated member
/// names).
package struct JSONProblem: Error, Hashable, Sendable {
  /// What is wrong, as a noun phrase or a clause.
  package let reason: String
  /// The offset in the body of the byte where it was noticed.
  package let offset: Int

  package init(reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}
