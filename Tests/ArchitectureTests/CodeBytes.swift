/// The code of a Swift source: what stands in comments and in string literals is made blank, what is
/// interpolated into a string is code, and every line keeps its number.
struct CodeBytes {
  private(set) var bytes: [UInt8]
  /// The reverse: what stands in literals, and all else blank.
  private(set) var literals: [UInt8]

  private let source: [UInt8]
  private var index = 0

  init(_ text: String) {
    source = Array(text.utf8)
    bytes = source.map { $0 == .newline ? $0 : .blank }
    literals = bytes
    readCode(untilParenthesis: false)
  }

  /// Reads to the end of the source, or to the parenthesis that ends an interpolation.
  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while index < source.count {
      if skipComment() || skipLiteral() { continue }
      if untilParenthesis {
        if source[index] == .closing, depth == 0 { return }
        depth += source[index] == .opening ? 1 : source[index] == .closing ? -1 : 0
      }
      bytes[index] = source[index]
      index += 1
    }
  }

  private mutating func skipComment() -> Bool {
    if take(.slash, .slash) {
      while index < source.count, source[index] != .newline { index += 1 }
      return true
    }
    guard take(.slash, .star) else { return false }
    var depth = 1
    while index < source.count, depth > 0 {
      if take(.slash, .star) {
        depth += 1
      } else if take(.star, .slash) {
        depth -= 1
      } else {
        index += 1
      }
    }
    return true
  }

  /// A string, or a regular expression between `#/` and `/#`.
  private mutating func skipLiteral() -> Bool {
    guard source[index] == .quote || source[index] == .hash else { return false }
    let hashes = Array(source[index...].prefix { $0 == .hash })
    let start = index + hashes.count
    guard start < source.count else { return false }
    if source[start] == .quote {
      let isLong = source[start...].starts(with: [.quote, .quote, .quote])
      let quotes = [UInt8](repeating: .quote, count: isLong ? 3 : 1)
      index = start + quotes.count
      skipString(until: quotes + hashes, escape: [.backslash] + hashes, isLong: isLong)
    } else if !hashes.isEmpty, source[start] == .slash {
      index = start + 1
      skipString(until: [.slash] + hashes, escape: [.backslash], isLong: true)
    } else {
      return false
    }
    return true
  }

  private mutating func skipString(until end: [UInt8], escape: [UInt8], isLong: Bool) {
    while index < source.count {
      if take(end) || (!isLong && source[index] == .newline) { return }
      guard take(escape) else {
        literals[index] = source[index]
        index += 1
        continue
      }
      if take([.opening]) { readCode(untilParenthesis: true) }
      index += 1
    }
  }

  private mutating func take(_ bytes: UInt8...) -> Bool { take(bytes) }

  private mutating func take(_ bytes: [UInt8]) -> Bool {
    guard source[index] == bytes[0], source[index...].starts(with: bytes) else { return false }
    index += bytes.count
    return true
  }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n")
  fileprivate static let blank = UInt8(ascii: " ")
  fileprivate static let slash = UInt8(ascii: "/")
  fileprivate static let star = UInt8(ascii: "*")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let hash = UInt8(ascii: "#")
  fileprivate static let backslash = UInt8(ascii: "\\")
  fileprivate static let opening = UInt8(ascii: "(")
  fileprivate static let closing = UInt8(ascii: ")")
}
