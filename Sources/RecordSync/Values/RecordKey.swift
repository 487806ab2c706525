package import SyncDatabase
private import SyncText

/// What identifies a row of a table, on both sides: one value for each column of the table's key.
public struct RecordKey: Hashable, Sendable {
  private let storage: Storage

  /// Nearly all keys are one value, for which no array is made.
  private enum Storage: Sendable {
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

extension RecordKey {
  /// Equal to the byte: a composed and a decomposed "é" are two.
  public static func == (one: RecordKey, other: RecordKey) -> Bool {
    switch (one.storage, other.storage) {
    case (.one(let one), .one(let other)): one.isIdentical(to: other)
    case (.several(let one), .several(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isIdentical(to: $1) }
    case (.one, .several), (.several, .one): false
    }
  }

  /// As ``==(_:_:)`` tells keys apart.
  public func hash(into hasher: inout Hasher) {
    switch storage {
    case .one(let value): Self.combine(value, into: &hasher)
    case .several(let values): for value in values { Self.combine(value, into: &hasher) }
    }
  }

  private static func combine(_ value: StoredValue, into hasher: inout Hasher) {
    switch value {
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number)
    case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
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
