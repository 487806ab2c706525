package import SyncDatabase
private import SyncText

/// What identifies a row of a table, on both sides: one value for each column of the table's key.
/// Keys are equal to the byte: a composed and a decomposed "é" are two.
public struct RecordKey: Hashable, Sendable {
  private let storage: Storage

  /// Nearly all keys are one value, for which no array is made.
  private enum Storage: Hashable, Sendable {
    case one(StoredValue)
    case several([StoredValue])
  }

  package init(_ values: [StoredValue]) {
    storage = values.count == 1 ? .one(values[0]) : .several(values)
  }

  package init(_ value: StoredValue) {
    storage = .one(value)
  }

  /// The values as they are stored, in the order of the key's columns. None is NULL.
  package var values: [StoredValue] {
    switch storage {
    case .one(let value): [value]
    case .several(let values): values
    }
  }

  /// The number, where the key is one.
  public var integer: Int64? {
    guard case .one(.integer(let number)) = storage else { return nil }
    return number
  }

  /// The text, where the key is one.
  public var text: String? {
    guard case .one(.text(let text)) = storage else { return nil }
    return text
  }
}

extension RecordKey: CustomStringConvertible {
  /// The key as JSON writes it: `7`, `"a"`, `[1,"b"]`; bytes as base64.
  public var description: String { String(decoding: json, as: UTF8.self) }

  package var json: [UInt8] {
    guard values.count == 1 else {
      return JSONWriter.array { elements in
        for value in values { elements.add(Part(value: value)) }
      }
    }
    return JSONWriter.value(Part(value: values[0]))
  }

  private struct Part: JSONWritable {
    let value: StoredValue

    func write(to output: inout [UInt8]) { value.writePlainly(to: &output) }
  }
}
