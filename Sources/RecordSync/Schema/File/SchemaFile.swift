private import SyncText

extension SchemaOverrides {
  /// The overrides in the text of a file, which an app may ship:
  ///
  /// ```json
  /// {"acronyms": ["gps"], "rememberUnresolved": true, "tables": {"users": {
  ///   "key": "remote_id", "position": "place", "edits": "dirty", "unknown": "freeze",
  ///   "columns": {"age": {
  ///     "name": "person.age", "export": false, "ignoreNull": true, "transform": "trim",
  ///     "date": "seconds", "kind": "integer"}},
  ///   "relations": {"tags": {
  ///     "name": "labels", "table": "tags", "through": "user_tags", "column": "user_id",
  ///     "position": "place", "perParent": false}}}}}
  /// ```
  ///
  /// Every member may be left out; one that isn't known is an error. `key` is a name or a list.
  public init(json: [UInt8]) throws(SchemaProblem) {
    self = try SchemaFile.overrides(in: json)
  }
}

/// Reads a file of overrides.
package enum SchemaFile {
  /// The overrides in the text of a file.
  package static func overrides(in bytes: [UInt8]) throws(SchemaProblem) -> SchemaOverrides {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.starts(with: mark) ? mark.count : 0
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(bytes, in: start..<bytes.count, nesting: 32)
    } catch {
      throw .file(.notJSON(error.reason, offset: error.offset), at: "")
    }
    return try overrides(SchemaFileValue(value, path: []))
  }

  private static func overrides(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides {
    var overrides = SchemaOverrides()
    for (name, value) in try file.members() {
      switch name {
      case "acronyms": overrides.acronyms = try value.strings()
      case "rememberUnresolved": overrides.remembersUnresolved = try value.flag()
      case "tables":
        for (name, value) in try value.members() { overrides.tables[name] = try table(value) }
      default: throw file.unknown(name)
      }
    }
    return overrides
  }

  private static func table(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides.Table {
    var table = SchemaOverrides.Table()
    for (name, value) in try file.members() {
      switch name {
      case "key": table.key = try value.stringOrStrings()
      case "position": table.position = try value.string()
      case "edits": table.edits = try value.string()
      case "unknown":
        table.unknown = try value.word(
          TableSchema.UnknownMembers.self, [.evolve, .freeze, .extra])
      case "columns":
        for (name, value) in try value.members() { table.columns[name] = try column(value) }
      case "relations":
        for (name, value) in try value.members() { table.relations[name] = try relation(value) }
      default: throw file.unknown(name)
      }
    }
    return table
  }

  private static func column(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides.Column {
    var column = SchemaOverrides.Column()
    for (name, value) in try file.members() {
      switch name {
      case "name": column.name = try value.string()
      case "export": column.export = try value.flag()
      case "ignoreNull": column.ignoreNull = try value.flag()
      case "transform":
        column.transform = try value.word(
          among: Transformer.names.compactMap { name in Transformer.named(name).map { (name, $0) } }
        )
      case "date":
        column.date = try value.word(
          ColumnType.DateStorage.self, [.text, .milliseconds, .seconds])
      case "kind": column.kind = try value.word(among: ColumnType.Kind.named)
      default: throw file.unknown(name)
      }
    }
    return column
  }

  private static func relation(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides.Relation {
    var relation = SchemaOverrides.Relation()
    for (name, value) in try file.members() {
      switch name {
      case "name": relation.name = try value.string()
      case "column": relation.column = try value.string()
      case "table": relation.table = try value.string()
      case "through": relation.through = try value.string()
      case "position": relation.position = try value.string()
      case "perParent": relation.perParent = try value.flag()
      default: throw file.unknown(name)
      }
    }
    return relation
  }
}
