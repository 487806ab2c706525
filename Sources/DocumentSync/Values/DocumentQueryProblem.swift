/// Why something can't be asked of a store.
public enum DocumentQueryProblem: Error, Sendable, Hashable {
  /// It isn't a path such as `a.b[0]."c.d"`.
  case notAPath(String)
  /// What comes behind the path is no operator.
  case notAnOperator(String)
  /// The operator of that name needs a value, and there is none.
  case valueMissing(String)
  /// The operator of that name has no value, and there is one.
  case valueTooMany(String)
  /// The operator of that name needs a value of another type: which one.
  case wrongValue(String, needs: String)
  /// The value can't stand in any document.
  case notAValue(DocumentProblem)
  /// A statement isn't one that reads, or doesn't fit the store: why.
  case statement(String)
}

extension DocumentQueryProblem: CustomStringConvertible {
  /// What is wrong, for a place behind a colon.
  public var description: String {
    switch self {
    case .notAPath(let text):
      #"\#(text) doesn't begin with a path such as a.b[0]."c.d""#
    case .notAnOperator(let text):
      "\(text) is none of = != < <= > >= in like is-null exists"
    case .valueMissing(let name): "\(name) needs a value behind it"
    case .valueTooMany(let name): "\(name) has no value behind it"
    case .wrongValue(let name, let needed): "\(name) needs \(needed) behind it"
    case .notAValue(let problem): "the value can't stand in a document: \(problem)"
    case .statement(let words): "the statement can't be run: \(words)"
    }
  }
}
