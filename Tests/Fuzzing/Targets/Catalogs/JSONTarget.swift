import CatalogMirror
import SyncText

/// The reader of JSON: the input is a value.
enum JSONTarget {
  static func check(_ bytes: [UInt8]) throws {
    let value: JSONValue
    do {
      value = try JSONValue(bytes, in: 0..<bytes.count, nesting: 12)
    } catch {
      try require((0...bytes.count).contains(error.offset), "a problem outside of the text")
      return
    }
    try walk(value, depth: 0)
  }

  private static func walk(_ value: JSONValue, depth: Int) throws {
    try require(depth <= 12, "nesting passes the limit")
    let kinds = [
      value.isNull, value.isObject, value.isArray, value.bool != nil, value.stringBytes != nil,
    ]
    try require(kinds.filter { $0 }.count <= 1, "a value of two kinds")
    try require(!kinds.contains(true) || value.integer == nil, "a value of two kinds, one a number")
    if let integer = value.integer {
      try require(
        value.text == "\(integer)" || value.text == "-0", "\(value.text) reads as \(integer)")
    }
    if let string = value.string {
      try require(Array(string.utf8) == value.stringBytes, "a string loses bytes")
    }
    for element in value.elements ?? [] { try walk(element, depth: depth + 1) }
    guard let members = value.members else { return }
    try require(Set(members.map(\.name)).count == members.count, "a member comes twice")
    for member in members { try walk(member.value, depth: depth + 1) }
  }
}
