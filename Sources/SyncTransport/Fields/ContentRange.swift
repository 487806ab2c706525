/// Which bytes of a whole a 206 or 416 speaks of (RFC 9110, section 14.4).
package enum ContentRange: Equatable, Sendable {
  /// These bytes, both ends included, of so many; `nil` when the server doesn't know.
  case bytes(ClosedRange<Int64>, of: Int64?)
  /// None of them; the whole has so many.
  case unsatisfied(of: Int64)

  /// Reads `bytes 0-9/100`, `bytes 0-9/*` or `bytes */100`; `nil` for anything else, also for a
  /// range that reaches beyond its whole.
  package init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].isSameFieldName(as: "bytes") else { return nil }
    let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let whole = Self.number(sides[1])
    guard whole != nil || sides[1] == "*" else { return nil }
    if sides[0] == "*" {
      guard let whole else { return nil }
      self = .unsatisfied(of: whole)
      return
    }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
      whole.map({ last < $0 }) ?? true
    else { return nil }
    self = .bytes(first...last, of: whole)
  }

  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}
