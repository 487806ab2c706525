import SyncText

/// The writer of JSON against its reader: the input is a value, and also the bytes of a string.
enum WrittenJSONTarget {
  private static let nesting = 12

  static func check(_ bytes: [UInt8]) throws {
    try checkString(bytes)
    guard let value = try? read(bytes) else { return }
    try checkCopy(value, of: bytes)
    try checkCanonical(value)
    try checkNumbers(value)
    // What isn't UTF-8 may hold strings that JSON can't write.
    guard isText(bytes) else { return }
    let rewritten = JSONWriter.value(Rewritten(value: value))
    try require(isText(rewritten), "what was written is no text")
    try require(try read(rewritten).means(theSameAs: value), "a value changed when written")
  }

  private static func read(_ bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
    try JSONValue(bytes, in: 0..<bytes.count, nesting: nesting)
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  private static func checkString(_ bytes: [UInt8]) throws {
    try require(
      try read(JSONText.written(bytes)).stringBytes == bytes, "a string changed when written")
    let text = JSONText(bytes: bytes)
    try require(text != nil || !isText(bytes), "a text was refused")
    if let text { try require(isText(JSONWriter.value(text)), "a string was written as no text") }
  }

  private static func checkCopy(_ value: JSONValue, of bytes: [UInt8]) throws {
    let copy = JSONWriter.value(value)
    let again = try read(copy)
    try require(again.means(theSameAs: value), "a copied value changed")
    try require(JSONWriter.value(again) == copy, "a copy's copy differs")
    try require(!copy.contains(0x0A), "a copied value breaks its line")
    try require(copy.count <= bytes.count, "a copied value grew")
  }

  private static func checkCanonical(_ value: JSONValue) throws {
    let canonical = value.canonicalBytes
    let again = try read(canonical)
    try require(again.canonicalBytes == canonical, "a canonical text isn't canonical")
    try require(!isText(Array(value.written)) || isText(canonical), "a canonical text is no text")
  }

  private static func checkNumbers(_ value: JSONValue) throws {
    for element in value.elements ?? [] { try checkNumbers(element) }
    for member in value.members ?? [] {
      try require(
        value[member.name]?.written == member.value.written, "a member isn't found by name")
      try checkNumbers(member.value)
    }
    guard let number = value.number else { return }
    try require(JSONNumber(number.canonicalText) == number, "\(number.text) changed its value")
    try require(
      value.integer == nil || number.integer == value.integer, "\(number.text) is two integers")
    if let integer = number.integer {
      try require(JSONNumber(integer) == number, "\(number.text) reads as \(integer)")
    }
    if let double = number.double {
      try require(JSONNumber(double)?.double == double, "\(double) doesn't read back")
    }
  }
}

/// A value that is put together anew when it is written.
private struct Rewritten: JSONWritable {
  let value: JSONValue

  func write(to output: inout [UInt8]) {
    if let elements = value.elements {
      JSONWriter.array(to: &output) {
        for element in elements { $0.add(Rewritten(value: element)) }
      }
    } else if let members = value.members {
      JSONWriter.object(to: &output) {
        for member in members {
          guard let name = JSONText(bytes: member.name) else { continue }
          $0.add(name, Rewritten(value: member.value))
        }
      }
    } else if let bytes = value.stringBytes {
      JSONText(bytes: bytes)?.write(to: &output)
    } else if let number = value.number {
      number.write(to: &output)
    } else {
      value.write(to: &output)
    }
  }
}
