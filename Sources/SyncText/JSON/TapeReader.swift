/// What a ``JSONTape`` keeps of a value.
struct TapeEntry: Sendable {
  var start: UInt32
  var end: UInt32
  /// The place of the entry behind it and all that is in it.
  var next: Int32
  var kind: JSONTape.Kind
  var isEscaped = false
}

/// Reads one value onto a tape.
struct TapeReader {
  var entries: ContiguousArray<TapeEntry> = []
  let nesting: Int
  var position: Int

  init(nesting: Int, position: Int) {
    self.nesting = nesting
    self.position = position
  }

  mutating func read(_ text: UnsafeBufferPointer<UInt8>) throws(JSONProblem) {
    guard text.count < Int(Int32.max) else {
      throw JSONProblem(reason: "more than 2 GiB in one piece", offset: 0)
    }
    skipBlanks(text)
    try value(text, depth: 0)
  }

  private mutating func value(
    _ text: UnsafeBufferPointer<UInt8>, depth: Int
  ) throws(JSONProblem) {
    switch peek(text) {
    case UInt8(ascii: "{"): try object(text, depth: depth + 1)
    case UInt8(ascii: "["): try array(text, depth: depth + 1)
    case UInt8(ascii: "\""): try string(text)
    case UInt8(ascii: "t"): try word("true", .true, text)
    case UInt8(ascii: "f"): try word("false", .false, text)
    case UInt8(ascii: "n"): try word("null", .null, text)
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
      try number(text)
    case nil: throw problem("an end where a value should be")
    default: throw problem("something that begins no value")
    }
  }

  private mutating func object(
    _ text: UnsafeBufferPointer<UInt8>, depth: Int
  ) throws(JSONProblem) {
    let place = try enter(.object, depth)
    if !take(UInt8(ascii: "}"), text) {
      repeat {
        skipBlanks(text)
        guard peek(text) == UInt8(ascii: "\"") else { throw problem("no member name in quotes") }
        try string(text)
        guard take(UInt8(ascii: ":"), text) else { throw problem("no colon after a member name") }
        skipBlanks(text)
        try value(text, depth: depth)
      } while take(UInt8(ascii: ","), text)
      guard take(UInt8(ascii: "}"), text) else { throw problem("an object that isn't closed") }
    }
    leave(place)
    guard !hasTwins(place, text) else {
      throw problem("a member name that stands twice in one object")
    }
  }

  private mutating func array(
    _ text: UnsafeBufferPointer<UInt8>, depth: Int
  ) throws(JSONProblem) {
    let place = try enter(.array, depth)
    if !take(UInt8(ascii: "]"), text) {
      repeat {
        skipBlanks(text)
        try value(text, depth: depth)
      } while take(UInt8(ascii: ","), text)
      guard take(UInt8(ascii: "]"), text) else { throw problem("an array that isn't closed") }
    }
    leave(place)
  }

  private mutating func enter(_ kind: JSONTape.Kind, _ depth: Int) throws(JSONProblem) -> Int {
    guard depth <= nesting else { throw problem("more than \(nesting) levels of nesting") }
    entries.append(TapeEntry(start: UInt32(position), end: 0, next: 0, kind: kind))
    position += 1
    return entries.count - 1
  }

  private mutating func leave(_ place: Int) {
    entries[place].end = UInt32(position)
    entries[place].next = Int32(entries.count)
  }

  private mutating func add(_ kind: JSONTape.Kind, from start: Int, isEscaped: Bool = false) {
    entries.append(
      TapeEntry(
        start: UInt32(start), end: UInt32(position), next: Int32(entries.count + 1), kind: kind,
        isEscaped: isEscaped))
  }

  private mutating func string(_ text: UnsafeBufferPointer<UInt8>) throws(JSONProblem) {
    let start = position
    var isEscaped = false
    position += 1
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""):
        position += 1
        add(.string, from: start, isEscaped: isEscaped)
        return
      case UInt8(ascii: "\\"):
        isEscaped = true
        position += 1
        try escape(text)
      case 0..<0x20: throw problem("a bare control character in a string")
      default: position += 1
      }
    }
    throw problem("a string that isn't closed")
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) throws(JSONProblem) {
    guard let kind = peek(text) else { throw problem("a string that isn't closed") }
    position += 1
    if kind == UInt8(ascii: "u") {
      for _ in 0..<4 {
        guard peek(text).flatMap(Hexadecimal.value(ofDigit:)) != nil else {
          throw problem("a \\u without four hexadecimal digits")
        }
        position += 1
      }
    } else if !"\"\\/bfnrt".utf8.contains(kind) {
      throw problem("an unknown escape in a string")
    }
  }

  private mutating func number(_ text: UnsafeBufferPointer<UInt8>) throws(JSONProblem) {
    let start = position
    if peek(text) == UInt8(ascii: "-") { position += 1 }
    if peek(text) == UInt8(ascii: "0") { position += 1 } else { try digits(text) }
    if peek(text) == UInt8(ascii: ".") {
      position += 1
      try digits(text)
    }
    if peek(text) == UInt8(ascii: "e") || peek(text) == UInt8(ascii: "E") {
      position += 1
      if peek(text) == UInt8(ascii: "+") || peek(text) == UInt8(ascii: "-") { position += 1 }
      try digits(text)
    }
    add(.number, from: start)
  }

  private mutating func digits(_ text: UnsafeBufferPointer<UInt8>) throws(JSONProblem) {
    let start = position
    while let byte = peek(text), (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw problem("a number without digits") }
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONTape.Kind, _ text: UnsafeBufferPointer<UInt8>
  ) throws(JSONProblem) {
    let start = position
    for index in 0..<word.utf8CodeUnitCount {
      guard peek(text) == word.utf8Start[index] else {
        throw problem("something that begins no value")
      }
      position += 1
    }
    add(kind, from: start)
  }

  /// Whether two members of an object have one name.
  private func hasTwins(_ place: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var names: Set<[UInt8]> = []
    var name = place + 1
    while name < entries.count {
      let inside = text[Int(entries[name].start) + 1..<Int(entries[name].end) - 1]
      let bytes = entries[name].isEscaped ? JSONValue.unescape(Array(inside)[...]) : Array(inside)
      guard names.insert(bytes).inserted else { return true }
      name = Int(entries[name + 1].next)
    }
    return false
  }

  private func peek(_ text: UnsafeBufferPointer<UInt8>) -> UInt8? {
    position < text.count ? text[position] : nil
  }

  private mutating func skipBlanks(_ text: UnsafeBufferPointer<UInt8>) {
    while let byte = peek(text), JSONValue.isBlank(byte) { position += 1 }
  }

  private mutating func take(_ byte: UInt8, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    skipBlanks(text)
    guard peek(text) == byte else { return false }
    position += 1
    return true
  }

  private func problem(_ reason: String) -> JSONProblem {
    JSONProblem(reason: reason, offset: position)
  }
}
