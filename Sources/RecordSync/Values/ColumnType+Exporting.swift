package import SyncDatabase
private import SyncText

extension ColumnType {
  /// Appends the JSON of what a column of this type holds: dates as RFC 3339 in UTC, truth values
  /// as such, JSON as it is, bytes as base64. What the type doesn't expect is written as what it
  /// is. ``stored(_:in:)`` of it gives a value that ``isSame(_:_:)`` takes for the same.
  package func json(of stored: StoredValue?, to output: inout [UInt8]) {
    guard let stored else { return JSONNull().write(to: &output) }
    switch kind {
    case .date(let storage):
      if let moment = stored.moment(as: storage) { return moment.text.write(to: &output) }
    case .boolean:
      if let truth = stored.truth { return truth.write(to: &output) }
    case .json:
      if let json = stored.json { return json.write(to: &output) }
    case .blob:
      if case .text = stored {
        // A text here is an array or an object, unless somebody else put it there.
        if let json = stored.json, json.isArray || json.isObject { return json.write(to: &output) }
        return Base64.text(of: stored.bytes ?? []).write(to: &output)
      }
    case .uuid:
      if case .blob = stored, let uuid = UUIDText(stored) {
        return uuid.canonical.write(to: &output)
      }
    case .text, .integer, .real, .decimal, .url, .any: break
    }
    stored.writePlainly(to: &output)
  }
}

extension StoredValue {
  /// Appends a number, a string, or bytes as base64.
  package func writePlainly(to output: inout [UInt8]) {
    switch self {
    case .integer(let number): number.write(to: &output)
    case .real(let number):
      if let number = JSONNumber(number) {
        number.write(to: &output)
      } else {
        // An infinity. JSON has numbers beyond all doubles, and nothing else that would be as
        // large.
        output += (number < 0 ? "-9e999" : "9e999").utf8
      }
    case .text(let text): text.write(to: &output)
    case .blob(let bytes): Base64.text(of: bytes).write(to: &output)
    }
  }
}
