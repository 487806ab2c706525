package import SyncDatabase
private import SyncText

/// A condition that a person wrote, as a part of a statement of ours.
///
/// It stands in brackets that it can't leave: `1) OR (1` would make a parent's rows all rows, and
/// all others would be deleted.
package struct ConditionText: Sendable {
  package let sql: SQL

  /// - Parameter values: For its parameters, each of which is a `?`.
  /// - Throws: ``RecordError/condition(_:)`` if the text is more than a condition, or less. Whether
  ///   it fits the table, only SQLite knows.
  package init(_ text: String, values: [StoredValue?]) throws(RecordError) {
    try ConditionScan.check(text)
    // The line end closes a comment that the condition may end with.
    sql = "(\(SQL(written: text, values: values))\n)"
  }
}

/// Looks for where a condition would end before its last character, or wouldn't end there: SQLite's
/// tokens, as far as they matter to that.
private struct ConditionScan {
  let text: [UInt8]
  private var place = 0
  private var depth = 0
  private var isEmpty = true

  /// Throws where a text can't stand in brackets.
  static func check(_ text: String) throws(RecordError) {
    var scan = ConditionScan(text: Array(text.utf8))
    // SQLite would read no further.
    guard !scan.text.contains(0) else { throw .condition("there is a character NUL in it") }
    while scan.place < scan.text.count { try scan.takeToken() }
    guard scan.depth == 0 else {
      throw .condition("it doesn't close each bracket that it opens")
    }
    guard !scan.isEmpty else { throw .condition("there is nothing in it") }
  }

  private static let otherParameter = "a value in it is marked by something else than a ? alone"

  private mutating func takeToken() throws(RecordError) {
    let byte = text[place]
    let next = place + 1 < text.count ? text[place + 1] : 0
    switch byte {
    case UInt8(ascii: " "), 0x09...0x0D: return place += 1
    case UInt8(ascii: "-") where next == byte: return takeLine()
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"): return try takeComment()
    default: isEmpty = false
    }
    switch byte {
    case UInt8(ascii: "("): depth += 1
    case UInt8(ascii: ")"):
      depth -= 1
      guard depth >= 0 else {
        throw .condition("it closes a bracket that it doesn't open")
      }
    case UInt8(ascii: ";"): throw .condition("it goes on behind a semicolon")
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): try takeQuoted(until: byte)
    case UInt8(ascii: "["): try takeQuoted(until: UInt8(ascii: "]"))
    // A name of TCL's may hold brackets and quotes that aren't any (sqlite.org, "Parameters").
    case UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "#"):
      throw .condition(Self.otherParameter)
    // By its number it could mean the parent's key.
    case UInt8(ascii: "?") where next.isDigit: throw .condition(Self.otherParameter)
    case let byte where Self.isOfName(byte): return takeName()
    default: break
    }
    place += 1
  }

  /// A quote that is doubled closes the text and opens the next one at once.
  private mutating func takeQuoted(until end: UInt8) throws(RecordError) {
    guard let last = text[(place + 1)...].firstIndex(of: end) else {
      throw .condition("it doesn't close each quote that it opens")
    }
    place = last
  }

  private mutating func takeLine() {
    place = text[place...].firstIndex(of: 0x0A) ?? text.count
  }

  private mutating func takeComment() throws(RecordError) {
    place += 2
    while place + 1 < text.count {
      if text[place] == UInt8(ascii: "*"), text[place + 1] == UInt8(ascii: "/") {
        return place += 2
      }
      place += 1
    }
    throw .condition("it doesn't close each comment that it opens")
  }

  /// A name may hold a dollar sign, but not begin with one.
  private mutating func takeName() {
    while place < text.count, Self.isOfName(text[place]) || text[place] == UInt8(ascii: "$") {
      place += 1
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isSmall || byte.isCapital || byte.isDigit || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}

extension Connection {
  /// Throws where SQLite can't make anything of a condition over a table, or where it would do more
  /// than read, before anything else is done.
  package func check(_ condition: SQL, over table: SQL) throws {
    try explainingCondition(isThere: true) {
      try onlyReading {
        // The condition stands last, so that SQLite's words don't speak of what would follow it.
        try query("SELECT 1 FROM (SELECT 1 LIMIT 0), \(table) WHERE \(condition)") { _ in }
      }
    }
  }

  /// Runs statements in which a condition stands that a person wrote: what SQLite can't make
  /// anything of is theirs.
  func explainingCondition(isThere: Bool, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError
      where isThere && [.statement, .misuse].contains(error.code)
    {
      // SQLITE_AUTH, of which its words tell nobody what it is about.
      let isRefused = error.sqliteCode & 0xFF == 23
      throw RecordError.condition(isRefused ? "it would do more than read" : error.message)
    }
  }
}
