import SyncText

// There is no literal for null but `.null`. Were `nil` one, `isDone ? nil : date` would be a null
// where somebody wanted a member to be removed, and the compiler would say nothing.

extension DocumentValue: ExpressibleByBooleanLiteral {
  /// A truth value.
  public init(booleanLiteral bool: Bool) {
    self.init(bool)
  }
}

extension DocumentValue: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral integer: Int64) {
    self.init(integer)
  }
}

extension DocumentValue: ExpressibleByFloatLiteral {
  /// A number. It must be a finite one.
  public init(floatLiteral double: Double) {
    guard let value = DocumentValue(double) else {
      preconditionFailure("a number in a document that is beyond all doubles")
    }
    self = value
  }
}

extension DocumentValue: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

extension DocumentValue: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: DocumentValue...) {
    do throws(DocumentProblem) {
      try self.init(elements: elements)
    } catch {
      preconditionFailure("a literal that can't be a document's value: \(error)")
    }
  }
}

extension DocumentValue: ExpressibleByDictionaryLiteral {
  /// An object, its members in the order of the literal. No name may come twice.
  public init(dictionaryLiteral members: (String, DocumentValue)...) {
    do throws(DocumentProblem) {
      try self.init(members: members)
    } catch {
      preconditionFailure("a literal that can't be a document's value: \(error)")
    }
  }
}
