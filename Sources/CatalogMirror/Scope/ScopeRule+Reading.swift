/// A line of a file of filters that can't be read.
public struct FilterLineProblem: Error, Hashable, Sendable {
  /// Which line, counted from 1.
  public var line: Int
  /// What is wrong with its pattern; `nil` for a line that begins with neither `+` nor `-`.
  public var pattern: PatternProblem?
}

extension FilterLineProblem: CustomStringConvertible {
  /// What is wrong, as the end of a sentence that began with the file.
  public var description: String {
    guard let pattern else {
      return "has a line \(line) that is no filter; write '+ PATTERN' or '- PATTERN'"
    }
    return "has a pattern in line \(line) that \(pattern)"
  }
}

extension ScopeRule {
  /// Reads a file of filters: lines `+ PATTERN` and `- PATTERN`, in their order. Empty lines and
  /// those that begin with `#` say nothing.
  public static func rules(inLines text: [UInt8]) throws(FilterLineProblem) -> [ScopeRule] {
    var rules: [ScopeRule] = []
    for (number, line) in TextLines(text).numbered where line.first != UInt8(ascii: "#") {
      guard let sign = line.first, line.dropFirst().first == UInt8(ascii: " ") else {
        throw FilterLineProblem(line: number)
      }
      let pattern: KeyPattern
      do throws(PatternProblem) {
        pattern = try KeyPattern(bytes: Array(line.dropFirst(2)))
      } catch {
        throw FilterLineProblem(line: number, pattern: error)
      }
      switch sign {
      case UInt8(ascii: "+"): rules.append(.include(pattern))
      case UInt8(ascii: "-"): rules.append(.exclude(pattern))
      default: throw FilterLineProblem(line: number)
      }
    }
    return rules
  }
}
