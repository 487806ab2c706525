import SyncDatabase
import SyncText

extension TableSchema {
  /// The key that a program names: of a key of several columns an array. Its values are brought to
  /// the types of the columns; `nil` for what can't be.
  func recordKey(_ value: RecordValue) -> RecordKey? {
    var parts = [value]
    if key.columns.count != 1 {
      guard let elements = value.elements, elements.count == key.columns.count else { return nil }
      parts = elements
    }
    var tape = JSONTape(nesting: 512)
    var values: [StoredValue] = []
    for (part, column) in zip(parts, key.columns) {
      tape.begin(JSONWriter.value(part))
      guard let (node, _) = try? tape.append(at: 0),
        let stored = columns[column].type.key(node, in: tape)
      else { return nil }
      values.append(stored.value)
    }
    return RecordKey(values)
  }
}
