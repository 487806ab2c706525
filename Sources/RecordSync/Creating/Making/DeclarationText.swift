private import SyncText

/// The text of a CREATE TABLE, in which a column's type can be changed and nothing else is.
struct DeclarationText: Equatable {
  private let text: [UInt8]
  private var edits: [(range: Range<Int>, with: String)] = []
  private let name: Range<Int>
  /// The definitions of columns and the constraints, each as its tokens.
  private let parts: [[Token]]

  static func == (one: DeclarationText, other: DeclarationText) -> Bool {
    one.text == other.text && one.edits.elementsEqual(other.edits, by: ==)
  }

  /// - Returns: `nil` for what is no such text.
  init?(_ sql: String) {
    text = Array(sql.utf8)
    var scanner = TokenScanner(text)
    let tokens = scanner.tokens()
    guard let open = tokens.firstIndex(where: { $0.isMark("(") }), open > 0,
      let named = tokens[..<open].last
    else { return nil }
    name = named.range
    var (parts, depth) = ([[Token]()], 0)
    for token in tokens[open...] {
      if token.isMark("(") {
        depth += 1
        if depth == 1 { continue }
      } else if token.isMark(")") {
        depth -= 1
        if depth == 0 { break }
      } else if token.isMark(","), depth == 1 {
        parts.append([])
        continue
      }
      parts[parts.count - 1].append(token)
    }
    guard depth == 0 else { return nil }
    self.parts = parts
  }

  /// Declares a column with another type. `false` where there is no such column.
  mutating func setType(_ type: String, of column: String) -> Bool {
    let name = column.asciiLowercased
    guard
      let part = parts.first(where: { part in
        guard let first = part.first else { return false }
        return !first.isWord(in: Self.constraints) && first.name.asciiLowercased == name
      })
    else { return false }
    let rest = part.dropFirst()
    let words = rest.prefix { !$0.isWord(in: Self.clauses) }
    let start = part[0].range.upperBound
    edits.append((start..<(words.last?.range.upperBound ?? start), " " + type))
    for token in rest where token.isWord(in: ["autoincrement"]) { edits.append((token.range, "")) }
    return true
  }

  /// The text, with another name for the table.
  func text(named name: String) -> String {
    var output = text
    let all = edits + [(self.name, name)]
    for edit in all.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      output.replaceSubrange(edit.0, with: edit.1.utf8)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// What begins a constraint of a table.
  private static let constraints: Set<String> = [
    "constraint", "primary", "unique", "check", "foreign",
  ]
  /// What ends a column's type.
  private static let clauses: Set<String> = [
    "constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references",
    "generated", "as",
  ]
}

/// A word, a quoted name or text, or a mark of SQL.
struct Token: Equatable {
  var range: Range<Int>
  /// Its text; of a quoted name, what is quoted.
  var name: String
  var isQuoted: Bool

  func isMark(_ mark: String) -> Bool { !isQuoted && name == mark }

  func isWord(in words: Set<String>) -> Bool { !isQuoted && words.contains(name.asciiLowercased) }
}

/// Reads the tokens of SQL, as far as they tell where a definition ends (sqlite.org, "SQL As
/// Understood By SQLite").
struct TokenScanner {
  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func tokens() -> [Token] {
    var tokens: [Token] = []
    while position < text.count {
      let start = position
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "-") where isNext("-"): skip { $0 == UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where isNext("*"): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "'"):
        tokens.append(quoted(from: start, by: byte))
      case UInt8(ascii: "["):
        skip { $0 == UInt8(ascii: "]") }
        position = min(position + 1, text.count)
        tokens.append(token(start + 1..<position - 1, at: start, isQuoted: true))
      case _ where Self.isWord(byte):
        skip { !Self.isWord($0) }
        tokens.append(token(start..<position, at: start, isQuoted: false))
      case _ where byte <= 0x20: break
      default: tokens.append(token(start..<position, at: start, isQuoted: false))
      }
    }
    return tokens
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isCapital || byte.isSmall || byte.isDigit || byte >= 0x80
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
  }

  private func isNext(_ mark: Unicode.Scalar) -> Bool {
    position < text.count && text[position] == UInt8(ascii: mark)
  }

  private mutating func skip(to isEnd: (UInt8) -> Bool) {
    while position < text.count, !isEnd(text[position]) { position += 1 }
  }

  private mutating func skipComment() {
    position += 1
    while position < text.count {
      position += 1
      if text[position - 1] == UInt8(ascii: "*"), isNext("/") { break }
    }
    position = min(position + 1, text.count)
  }

  /// The mark stands twice where it is a part of the name.
  private mutating func quoted(from start: Int, by mark: UInt8) -> Token {
    var name: [UInt8] = []
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == mark {
        guard position < text.count, text[position] == mark else { break }
        position += 1
      }
      name.append(byte)
    }
    return Token(
      range: start..<position, name: String(decoding: name, as: UTF8.self), isQuoted: true)
  }

  private func token(_ range: Range<Int>, at start: Int, isQuoted: Bool) -> Token {
    Token(
      range: start..<position, name: String(decoding: text[range], as: UTF8.self),
      isQuoted: isQuoted)
  }
}
