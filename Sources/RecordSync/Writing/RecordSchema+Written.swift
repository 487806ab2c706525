import SyncText

/// Rows as people write them, on a command line or in an address.
extension RecordSchema {
  /// The key that is written in a text: the key itself; of a key of several columns, an array of
  /// JSON. What the columns can't hold stays the text, which no row has. `nil` where there is no
  /// such table.
  public func key(_ text: String, of table: String) -> RecordValue? {
    place(of: table).map { tables[$0].key(written: text) }
  }

  /// The row on which rows of `child` hang, as it is written: its key, and after a colon the column
  /// by which they hang on it, where several lead to its table: `7`, `7:author_id`. Keys may hold
  /// colons, too: what follows the last one counts as a column only if it is such a column. `nil`
  /// where there is no such table.
  public func parent(
    _ text: String, of table: String, for child: String
  ) -> RecordScope.Parent? {
    guard let place = place(of: table) else { return nil }
    var (key, column) = (text[...], nil as String?)
    if let colon = text.lastIndex(of: ":"), colon > text.startIndex {
      let name = String(text[text.index(after: colon)...])
      if let child = self.place(of: child), links(child, to: place, by: name) {
        (key, column) = (text[..<colon], name)
      }
    }
    return RecordScope.Parent(
      table: table, key: tables[place].key(written: String(key)), column: column)
  }

  /// Whether a column of that name leads from the rows of `child`, or from a table that links them,
  /// to those of `parent`.
  private func links(_ child: Int, to parent: Int, by name: String) -> Bool {
    let linking = tables[parent].relations.compactMap { relation -> Int? in
      guard case .manyToMany(let through, _, _, _, child, _) = relation.kind else { return nil }
      return through
    }
    return ([child] + linking).contains { place in
      guard let column = tables[place].place(ofColumn: name) else { return false }
      return tables[place].foreignKeys.contains { $0.column == column && $0.table == parent }
    }
  }
}

extension RecordValue {
  /// The value that is written in a text: a number, true, false and null as JSON has them, all else
  /// the text itself.
  public init(written text: String) {
    let bytes = Array(text.utf8)
    guard let json = try? JSONValue(bytes, in: bytes.indices, nesting: 0),
      json.isNull || json.bool != nil || json.number != nil, let value = RecordValue(json)
    else {
      self = .text(text)
      return
    }
    self = value
  }
}

extension TableSchema {
  fileprivate func key(written text: String) -> RecordValue {
    let types = key.columns.map { columns[$0].type }
    if types.count == 1 {
      return types[0].kind == .any
        ? RecordValue(written: text) : types[0].keyValue(JSONWriter.value(text)) ?? .text(text)
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
