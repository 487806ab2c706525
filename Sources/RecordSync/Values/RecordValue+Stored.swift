package import SyncDatabase
package import SyncText

extension RecordValue {
  /// A value of JSON; `nil` if a string isn't Unicode text, or a number is beyond all doubles.
  package init?(_ json: JSONValue) {
    if json.isNull {
      self = .null
    } else if let value = json.bool {
      self = .boolean(value)
    } else if let number = json.number {
      guard let stored = StoredValue(nearest: number) else { return nil }
      self = RecordValue(stored)
    } else if json.isArray {
      var elements: [RecordValue] = []
      for element in json.elements ?? [] {
        guard let element = RecordValue(element) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    } else if json.isObject {
      var members: [String: RecordValue] = [:]
      for member in json.members ?? [] {
        guard let name = String(validating: member.name, as: UTF8.self),
          let value = RecordValue(member.value)
        else { return nil }
        members[name] = value
      }
      self = .object(members)
    } else {
      guard let text = json.string else { return nil }
      self = .text(text)
    }
  }

  /// The array or the object that a column keeps as the text of JSON; `nil` for anything else.
  init?(jsonText value: RecordValue) {
    guard let json = value.stored?.json, json.isArray || json.isObject else { return nil }
    self.init(json)
  }

  /// What a column holds.
  package init(_ stored: StoredValue?) {
    self =
      switch stored {
      case nil: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .bytes(bytes)
      }
  }

  /// What a column is given for it; `nil` is NULL. What is no number becomes NULL, as SQLite has
  /// it.
  package var stored: StoredValue? {
    switch self {
    case .null: nil
    case .boolean(let value): .integer(value ? 1 : 0)
    case .integer(let number): .integer(number)
    case .real(let number): number.isNaN ? nil : .real(number)
    case .text(let text): .text(text)
    case .bytes(let bytes): .blob(bytes)
    case .array, .object: .text(String(decoding: JSONWriter.value(self), as: UTF8.self))
    }
  }
}

extension RecordValue: JSONWritable {
  /// The value, members by the order of their names.
  package func write(to output: inout [UInt8]) {
    switch self {
    case .boolean(let value): value.write(to: &output)
    case .array(let elements):
      JSONWriter.array(to: &output) { array in
        for element in elements { array.add(element) }
      }
    case .object(let members):
      JSONWriter.object(to: &output) { object in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          object.add(JSONText(name), value)
        }
      }
    case .null, .integer, .real, .text, .bytes:
      if let stored { stored.writePlainly(to: &output) } else { JSONNull().write(to: &output) }
    }
  }
}
