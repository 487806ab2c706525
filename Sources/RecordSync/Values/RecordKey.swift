package import SyncDatabase
private import SyncText

/// What identifies a row of a table, on both sides: one value for each column of the table's key.
public struct RecordKey: Hashable, Sendable {
  /// The values as they are stored, in the order of the key's columns. None is NULL.
  package let values: [StoredValue]

  /// A key from the values of its columns.
  package init(_ values: [StoredValue]) {
    self.values = values
  }

  /// The number, where the key is one.
  public var integer: Int64? {
    guard values.count == 1, case .integer(let number) = values[0] else { return nil }
    return number
  }

  /// The text, where the key is one.
  public var text: String? {
    guard values.count == 1, case .text(let text) = values[0] else { return nil }
    return text
  }
}

extension RecordKey {
  /// Equal to the byte: a composed and a decomposed "é" are two.
  public static func == (one: RecordKey, other: RecordKey) -> Bool {
    one.values.count == other.values.count
      && zip(one.values, other.values).allSatisfy { $0.isIdentical(to: $1) }
  }

  /// As ``==(_:_:)`` tells keys apart.
  public func hash(into hasher: inout Hasher) {
    for value in values {
      switch value {
      case .integer(let number): hasher.combine(number)
      case .real(let number): hasher.combine(number)
      case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      case .blob(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
    }
  }
}

extension RecordKey: CustomStringConvertible {
  /// The key as JSON writes it: `7`, `"a"`, `[1,"b"]`; bytes as base64.
  public var description: String { String(decoding: json, as: UTF8.self) }

  /// As ``description``.
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
