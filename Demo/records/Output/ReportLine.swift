import Console
import RecordSync

extension RecordReport {
  /// The members of the last line of a sync. What is none or nothing isn't there.
  func write(to line: inout JSONMembers) {
    line.add("status", status.rawValue)
    if !made.isEmpty {
      line.array("made") { list in
        for change in made { list.object { change.write(to: &$0) } }
      }
    }
    if !undone.isEmpty {
      line.array("undone") { list in
        for part in undone { list.object { part.write(to: &$0) } }
      }
    }
    if !remarks.isEmpty { line.add("remarks", remarks.map(\.description)) }
    line.object("tables") { tables in
      for (name, table) in self.tables.sorted(by: { $0.key < $1.key }) {
        tables.object(name) { table.write(to: &$0) }
      }
    }
    line.object("milliseconds") { milliseconds in
      for stage in Stage.allCases {
        guard let duration = durations[stage] else { continue }
        milliseconds.add(stage.rawValue, (duration / .microseconds(1)).rounded() / 1_000)
      }
    }
  }
}

extension SchemaChange {
  /// The kind of change, the table, the column where it isn't a whole table, and what it is made
  /// from, in words.
  fileprivate func write(to object: inout JSONMembers) {
    let kind =
      switch self {
      case .table: "table"
      case .column: "column"
      case .widened: "widened"
      case .relation: "relation"
      case .filled: "filled"
      }
    object.add("change", kind)
    object.add("table", table)
    if let column { object.add("column", column) }
    object.add("sentence", description)
  }
}

extension UndonePart {
  /// Whether it is gone, the table, the column where it isn't a whole table, and why it stays.
  fileprivate func write(to object: inout JSONMembers) {
    object.add("change", obstacle == nil ? "dropped" : "left")
    object.add("table", table)
    if let column { object.add("column", column) }
    object.add("sentence", description)
  }
}

extension TableReport {
  fileprivate func write(to table: inout JSONMembers) {
    table.addUnlessEmpty("inserted", inserted) { $0.add(json: $1.json) }
    table.addRows("updated", updated)
    table.addUnlessEmpty("deleted", deleted) { $0.add(json: $1.json) }
    table.addUnlessEmpty("moved", moved) { $0.add(json: $1.json) }
    table.addUnlessEmpty("stayed", stayed) { $0.add(json: $1.json) }
    table.addUnlessEmpty("twins", twins) { $0.add(json: $1.json) }
    for (name, count) in [
      ("cascaded", cascaded), ("marked", marked), ("linked", linked), ("unlinked", unlinked),
      ("reordered", reordered), ("skipped", skipped), ("coerced", coerced),
      ("duplicates", duplicates),
    ] where count > 0 {
      table.add(name, count)
    }
    table.addUnlessEmpty("refused", refused) { list, row in
      list.object { object in
        object.addKey(row.key)
        object.add("reason", row.reason)
      }
    }
    table.addUnlessEmpty("mismatched", mismatched) { list, value in
      list.object { object in
        object.addKey(value.key)
        object.add("column", value.column)
        object.add("came", value.came)
        object.add("wanted", value.wanted)
      }
    }
    table.addUnlessEmpty("unresolved", unresolved) { list, reference in
      list.object { object in
        object.addKey(reference.key)
        object.add("name", reference.name)
        object.add("target", json: reference.target.json)
      }
    }
    table.addRows("keptEdits", keptEdits)
    if !unknown.isEmpty {
      table.object("unknown") { names in
        for (name, count) in unknown.sorted(by: { $0.key < $1.key }) {
          names.add(name, count)
        }
      }
    }
  }
}

extension RecordKey {
  fileprivate var json: [UInt8] { Array(description.utf8) }
}

extension JSONMembers {
  fileprivate mutating func addKey(_ key: RecordKey?) {
    if let key { add("key", json: key.json) }
  }

  fileprivate mutating func addUnlessEmpty<Elements: Collection>(
    _ name: String, _ elements: Elements,
    _ write: (inout JSONElements, Elements.Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    array(name) { list in
      for element in elements { write(&list, element) }
    }
  }

  /// The columns of rows by their keys, which are names here: a text stands for itself.
  fileprivate mutating func addRows(_ name: String, _ rows: [UpdatedRow]) {
    guard !rows.isEmpty else { return }
    object(name) { object in
      for row in rows {
        object.add(row.key.text ?? row.key.description, row.columns)
      }
    }
  }
}
