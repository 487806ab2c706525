/// Header fields in their order, names compared without case (RFC 9110, section 5.1).
package struct HTTPHeaders: Sendable, Equatable {
  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    /// Nearly always the case is the usual one, too.
    fileprivate func isNamed(_ other: String) -> Bool {
      name.utf8.count == other.utf8.count && (name == other || name.isSameFieldName(as: other))
    }

    /// Whether the field can be sent: the name is a token, the value holds no line break or other
    /// control character but the tab (RFC 9110, sections 5.1 and 5.5).
    package var isSendable: Bool {
      !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
  }

  package private(set) var fields: [Field] = []

  package init() {}

  package init(_ pairs: [(String, String)]) {
    fields = pairs.map { Field(name: $0.0, value: $0.1) }
  }

  package subscript(name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }

  package func all(_ name: String) -> [String] {
    // A list is made only where there are any: mostly, there are none.
    var values: [String] = []
    for field in fields where field.isNamed(name) { values.append(field.value) }
    return values
  }

  mutating func reserveCapacity(_ count: Int) {
    fields.reserveCapacity(count)
  }

  package mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  package mutating func add(_ more: HTTPHeaders) {
    fields += more.fields
  }

  package func keeping(_ isKept: (String) -> Bool) -> HTTPHeaders {
    var kept = self
    kept.fields.removeAll { !isKept($0.name) }
    return kept
  }
}
