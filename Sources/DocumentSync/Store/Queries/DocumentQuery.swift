/// Which documents are asked for, and in which order.
///
/// ```swift
/// var query = DocumentQuery(in: "notes", where: .greater(["meta", "stars"], 3))
/// query.order = [DocumentOrder(["title"])]
/// query.limit = 20
/// ```
///
/// Documents that are deleted or may not be read are never found, and what programs never see of a
/// document (the times of its members) isn't there.
public struct DocumentQuery: Sendable, Hashable {
  /// The collection that they are at home in; `nil` for any.
  public var collection: String?
  /// The server, by the address that it's known by; `nil` for any.
  package var server: String?
  /// Whose they are; `nil` for anybody's.
  package var account: String?
  /// What they must be like; `nil` if nothing is said of that.
  package var condition: DocumentCondition?
  /// What they are sorted by. What is equal in all of it is sorted by id, by its bytes.
  public var order: [DocumentOrder] = []
  /// How many are wanted at most; `nil` for all.
  public var limit: Int?
  /// How many of the first are left out.
  public var offset = 0

  /// All of a collection, or of the whole store, that are so.
  public init(in collection: String? = nil, where condition: DocumentCondition? = nil) {
    self.collection = collection
    self.condition = condition
  }

  /// All of a collection, as one account of a server has it, that are so.
  package init(in scope: DocumentScope, where condition: DocumentCondition? = nil) {
    (server, account, collection) = (scope.server, scope.account, scope.collection)
    self.condition = condition
  }

  /// Also asks for this.
  public mutating func add(_ condition: DocumentCondition) {
    self.condition = self.condition.map { .and([$0, condition]) } ?? condition
  }

  /// The same, of that collection if it names none.
  func named(_ collection: String) -> DocumentQuery {
    var query = self
    query.collection = query.collection ?? collection
    return query
  }

  package func means(_ scope: DocumentScope) -> Bool {
    [(server, scope.server), (account, scope.account), (collection, scope.collection)].allSatisfy {
      wanted, name in wanted.map { $0.utf8.elementsEqual(name.utf8) } ?? true
    }
  }
}

/// What documents are sorted by: the value at a path.
///
/// Those without one come first, then `null`, false, true, numbers, strings, arrays and objects,
/// the latter two in an order that means nothing and is always the same.
public struct DocumentOrder: Sendable, Hashable {
  package var path: DocumentPath
  /// Whether it's the other way round.
  package var isDescending: Bool

  /// By the value at a path.
  public init(_ path: DocumentPath, isDescending: Bool = false) {
    self.path = path
    self.isDescending = isDescending
  }

  /// Reads it as people write it: a path, behind a `-` if it's the other way round.
  public init(parsing text: String) throws(DocumentProblem) {
    isDescending = text.hasPrefix("-")
    path = try DocumentPath(parsing: isDescending ? String(text.dropFirst()) : text)
  }
}

/// What documents must be like to be found.
///
/// A condition speaks of the value at a path. Where a document has none, only ``missing(_:)``
/// holds, and ``not(_:_:)`` doesn't.
///
/// Only values of the same type compare: `"1"` is neither equal to `1` nor less than `2`. Numbers
/// compare by value, all their digits counted, however they are written; strings by their bytes in
/// UTF-8, which is the order of Unicode's code points; of truth values, false is less. `null`,
/// arrays and objects are equal where they mean the same, and none is less than another.
public indirect enum DocumentCondition: Sendable, Hashable {
  /// It's equal to a value.
  case equal(DocumentPath, DocumentValue)
  /// It's there, and not equal to a value; one of another type isn't.
  case not(DocumentPath, DocumentValue)
  /// It's less than a value.
  case less(DocumentPath, DocumentValue)
  /// It's less than a value, or equal.
  case lessOrEqual(DocumentPath, DocumentValue)
  /// It's greater than a value.
  case greater(DocumentPath, DocumentValue)
  /// It's greater than a value, or equal.
  case greaterOrEqual(DocumentPath, DocumentValue)
  /// It's equal to one of these values.
  case among(DocumentPath, [DocumentValue])
  /// It's a string of this pattern, in which `%` stands for any characters or none, and `_` for any
  /// one (a code point of Unicode). Behind a `\`, each character stands for itself. Case counts.
  case like(DocumentPath, String)
  /// The words of its members that are declared so (``MemberText``) hold all of these, in any
  /// order, without case and accents. A `*` at a word's end stands for all that begins so; no words
  /// are in nothing.
  case matches(String)
  /// It's there, and `null`.
  case null(DocumentPath)
  /// It's there, be it `null`.
  case exists(DocumentPath)
  /// It isn't there.
  case missing(DocumentPath)
  /// All of these hold; of none, they do.
  case and([DocumentCondition])
  /// One of these holds at least; of none, none does.
  case or([DocumentCondition])
}

extension DocumentCondition {
  /// Reads a condition as people write it: a path, an operator, and a value.
  ///
  /// The operators are `= != < <= > >= in like is-null exists`; the last two have no value. The
  /// value is JSON, and what isn't JSON is a string as it stands: `title = Buy milk`,
  /// `meta.count >= 10`, `tags[0] in ["a", "b"]`, `"first.last" like Mc%`, `done is-null`.
  public init(parsing text: String) throws(DocumentProblem) {
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

  static func leading(_ text: Substring) -> ConditionOperator? {
    allCases.first { name in
      guard text.hasPrefix(name.rawValue) else { return false }
      guard name.rawValue.allSatisfy(\.isLetter) || name == .null else { return true }
      return text.dropFirst(name.rawValue.count).first?.isWhitespace ?? true
    }
  }

  func condition(
    _ path: DocumentPath, _ text: Substring
  ) throws(DocumentProblem) -> DocumentCondition {
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

  private func value(_ text: Substring) throws(DocumentProblem) -> DocumentValue {
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
