import Console
import RecordSync
import SyncText

extension TableSchema {
  /// A key as the command line has it: the key itself, of several columns an array of JSON. What
  /// the columns can't hold stays the text, which no row has.
  func key(written text: String) -> RecordValue {
    let types = key.columns.map { columns[$0].type }
    if types.count == 1 {
      return types[0].kind == .any
        ? Value.bound(text) : types[0].keyValue(JSONWriter.value(text)) ?? .text(text)
    }
    let bytes = Array(text.utf8)
    guard let list = try? JSONValue(bytes, in: bytes.indices, nesting: 2).elements,
      list.count == types.count
    else { return .text(text) }
    let values = zip(types, list).compactMap { $0.keyValue(Array($1.written)) }
    return values.count == types.count ? .array(values) : .text(text)
  }
}

extension ColumnType {
  /// What JSON is as a key in this column.
  fileprivate func keyValue(_ json: [UInt8]) -> RecordValue? {
    var tape = JSONTape(nesting: 2)
    tape.begin(json)
    guard let root = try? tape.append(at: 0).root else { return nil }
    return key(root, in: tape).map { RecordValue($0.value) }
  }
}
