extension DocumentCondition {
  /// Reads a condition as people write it: a path, an operator, and a value.
  ///
  /// The operators are `= != < <= > >= in like is-null exists`; the last two have no value. The
  /// value is JSON, and what isn't JSON is a string as it stands: `title = Buy milk`,
  /// `meta.count >= 10`, `tags[0] in ["a", "b"]`, `"first.last" like Mc%`, `done is-null`.
  public init(parsing text: String) throws(DocumentQueryProblem) {
    var reader = PathReader(text.drop { $0.isWhitespace })
    let path = try reader.read()
    let rest = reader.rest.drop { $0.isWhitespace }
    guard let name = ConditionOperator.leading(rest) else {
      throw .notAnOperator(rest.isEmpty ? "nothing" : String(rest))
    }
    let value = rest.dropFirst(name.rawValue.count).trimmed
    self = try name.condition(path, value)
  }
}

private enum ConditionOperator: String, CaseIterable {
  // Those that another one begins with come behind it.
  case not = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case equal = "="
  case less = "<"
  case greater = ">"
  case among = "in"
  case like
  case null = "is-null"
  case exists

  /// The operator that a text begins with. A word ends where a blank is, or the text.
  static func leading(_ text: Substring) -> ConditionOperator? {
    allCases.first { name in
      guard text.hasPrefix(name.rawValue) else { return false }
      guard name.rawValue.allSatisfy(\.isLetter) || name == .null else { return true }
      return text.dropFirst(name.rawValue.count).first?.isWhitespace ?? true
    }
  }

  func condition(
    _ path: DocumentPath, _ text: Substring
  ) throws(DocumentQueryProblem) -> DocumentCondition {
    switch self {
    case .null, .exists:
      guard text.isEmpty else { throw .valueTooMany(rawValue) }
      return self == .null ? .null(path) : .exists(path)
    case .like:
      guard let pattern = try value(text).string else {
        throw .wrongValue(rawValue, needs: "a string")
      }
      return .like(path, pattern)
    case .among:
      guard let elements = try value(text).elements else {
        throw .wrongValue(rawValue, needs: "an array")
      }
      return .among(path, elements)
    case .equal: return .equal(path, try value(text))
    case .not: return .not(path, try value(text))
    case .less: return .less(path, try value(text))
    case .lessOrEqual: return .lessOrEqual(path, try value(text))
    case .greater: return .greater(path, try value(text))
    case .greaterOrEqual: return .greaterOrEqual(path, try value(text))
    }
  }

  private func value(_ text: Substring) throws(DocumentQueryProblem) -> DocumentValue {
    guard !text.isEmpty else { throw .valueMissing(rawValue) }
    do throws(DocumentProblem) {
      return try DocumentValue(parsing: String(text))
    } catch {
      if case .notJSON = error { return DocumentValue(String(text)) }
      throw .notAValue(error)
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }
}
