import SyncText

extension DocumentValue {
  package var isNull: Bool { json.isNull }
  package var isObject: Bool { json.isObject }

  /// The truth value, if it is one.
  public var bool: Bool? { json.bool }
  /// The integer, if it is a number of that value, however it is written, and fits.
  public var integer: Int64? { json.number?.integer }
  /// The nearest double, if it is a number.
  public var double: Double? { json.number?.double }
  /// The text, if it is a string.
  public var string: String? { json.string }

  /// The elements in their order, if it is an array.
  public var elements: [DocumentValue]? { json.elements?.map(DocumentValue.init(checked:)) }

  /// The members in the order in which they are written, if it is an object, their names without
  /// escapes. No name comes twice.
  public var members: [(name: String, value: DocumentValue)]? {
    json.members?.map {
      (String(decoding: $0.name, as: UTF8.self), DocumentValue(checked: $0.value))
    }
  }

  /// The value of the member of that name, to the byte; `nil` where there is none, and where it is
  /// no object.
  public subscript(name: String) -> DocumentValue? {
    json[Array(name.utf8)].map(DocumentValue.init(checked:))
  }

  package subscript(path: DocumentPath) -> DocumentValue? {
    path.steps.reduce(self) { value, step in
      switch step {
      case .member(let name): value?[name]
      case .element(let place):
        value?.elements.flatMap { $0.indices.contains(place) ? $0[place] : nil }
      }
    }
  }

  /// How many objects and arrays stand inside each other, itself included.
  package var depth: Int {
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in json.written {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return deepest
  }
}

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
