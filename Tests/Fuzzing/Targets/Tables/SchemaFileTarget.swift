import RecordSync
import SyncText

/// The file that says what a database's declarations don't: the input is the file.
enum SchemaFileTarget {
  private static let objects = #"""
    [{"id": 1, "name": "Ann", "type": "x", "company": {"id": 2, "name": {"first": "B"}},
      "tags": ["a", {"remoteID": "b", "data": [1]}], "notes": [{"id": 3, "notes": [{"id": 4}]}],
      "labels": [5], "person": {"name": null, "age": 7}, "company_id": 2, "born": "2014-01-02"}]
    """#

  static func check(_ bytes: [UInt8]) throws {
    let schema: RecordSchema
    do {
      let overrides = try SchemaFile.overrides(in: bytes)
      schema = try SchemaReader.read(FuzzedTables.open(), overrides: overrides)
    } catch let problem as SchemaProblem {
      return try requireSentence("\(problem)")
    }
    for line in schema.text.split(separator: "\n") {
      try requirePrintable(String(line), "a schema")
    }
    for line in schema.jsonLines {
      try require(
        (try? JSONValue(line, in: 0..<line.count, nesting: 32)) != nil, "\(line.text) is no JSON")
    }
    for warning in schema.warnings { try requireSentence("\(warning)") }
    try read(schema)
  }

  /// Objects of every table.
  private static func read(_ schema: RecordSchema) throws {
    var tape = JSONTape(nesting: 16)
    tape.begin(Array(objects.utf8))
    let (root, _) = try tape.append(at: 0)
    for (place, table) in schema.tables.enumerated() where table.key.problem == nil {
      var builder = DraftBuilder(schema, operations: .all)
      builder.begin()
      builder.readTop(tape.inside(root), in: tape, as: place)
      if let problem = builder.problem { try requireSentence("\(problem)") }
      for row in builder.draft.rows {
        try require(row.values.count == schema.tables[row.table].columns.count, "other columns")
      }
    }
  }
}
