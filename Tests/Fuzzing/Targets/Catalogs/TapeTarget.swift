import SyncText

/// The tape of JSON against the checker and the values that it checks: the input is a value.
enum TapeTarget {
  private static let nesting = 12

  static func check(_ bytes: [UInt8]) throws {
    var tape = JSONTape(nesting: nesting)
    tape.begin(bytes)
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(bytes, in: 0..<bytes.count, nesting: nesting)
    } catch {
      try checkProblem(error, &tape)
      return
    }
    let (root, end) = try tape.append(at: 0)
    try require(bytes[end...].allSatisfy(JSONValue.isBlank), "the tape ends before the value")
    try compare(root, of: tape, with: value)
    // Behind other values, on a tape that is used again, it is the same.
    let (again, _) = try tape.append(at: 0)
    try compare(again, of: tape, with: value)
    tape.remove(last: again)
    try require(Int(tape.count) == nodes(of: value), "the tape has other nodes")
  }

  /// Only the checker looks behind the value.
  private static func checkProblem(_ problem: JSONProblem, _ tape: inout JSONTape) throws {
    do throws(JSONProblem) {
      _ = try tape.append(at: 0)
    } catch {
      try require(error == problem, "the tape says \(error), the checker \(problem)")
      try require(tape.count == 0, "a problem leaves nodes")
      return
    }
    try require(problem.reason == "more after its end", "the tape takes what has \(problem.reason)")
  }

  private static func compare(
    _ node: JSONTape.Node, of tape: JSONTape, with value: JSONValue
  ) throws {
    try require(
      tape.bytes[tape.range(of: node)].elementsEqual(value.written), "a value stands elsewhere")
    try require(tape.value(node).written == value.written, "a value is another")
    try require(tape.integer(node) == value.integer, "an integer is another")
    try require(tape.number(node)?.text == value.number?.text, "a number is another")
    try require(tape.stringBytes(node) == value.stringBytes, "a string's bytes are others")
    try require(tape.string(node) == value.string, "a string is another")
    if let bytes = value.stringBytes {
      try require(tape.isString(node, bytes), "a string isn't its own bytes")
      try require(!tape.isString(node, bytes + [0]), "a string is more than its bytes")
      try require(
        tape.isPlain(node) == !value.written.contains(UInt8(ascii: "\\")), "escapes are miscounted")
    }
    try require(tape.kind(of: node) == kind(of: value), "a value is of another kind")
    try compareInside(node, of: tape, with: value)
  }

  private static func compareInside(
    _ node: JSONTape.Node, of tape: JSONTape, with value: JSONValue
  ) throws {
    let end = tape.end(of: node)
    var next = tape.inside(node)
    for element in value.elements ?? [] {
      try compare(next, of: tape, with: element)
      next = tape.after(next)
    }
    for member in value.members ?? [] {
      try require(tape.isString(next, member.name), "a name is another")
      try compare(tape.after(next), of: tape, with: member.value)
      next = tape.after(tape.after(next))
    }
    try require(next == end, "a walk doesn't meet its end")
  }

  private static func kind(of value: JSONValue) -> JSONTape.Kind {
    if value.isNull { return .null }
    if value.isObject { return .object }
    if value.isArray { return .array }
    if let bool = value.bool { return bool ? .true : .false }
    return value.stringBytes == nil ? .number : .string
  }

  private static func nodes(of value: JSONValue) -> Int {
    if let elements = value.elements { return elements.reduce(1) { $0 + nodes(of: $1) } }
    if let members = value.members { return members.reduce(1) { $0 + 1 + nodes(of: $1.value) } }
    return 1
  }
}
