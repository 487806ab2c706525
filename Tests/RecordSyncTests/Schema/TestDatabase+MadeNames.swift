import SyncDatabase

@testable import RecordSync

extension TestDatabase {
  /// Says where columns stand in JSON, each as `table.column` with its path.
  func name(columns: [String: String]) throws {
    let connection = try writer()
    try MadeNames.makeForColumns(in: connection)
    for (place, path) in columns {
      let parts = place.split(separator: ".").map(String.init)
      let path = JSONPath.parts(of: path) ?? []
      try connection.run(MadeNames.naming(parts[1], of: parts[0], path))
    }
  }

  /// Says where a relation of a table stands in JSON; nowhere without a path.
  func name(
    _ path: String?, in table: String, _ column: String, of other: String? = nil,
    through: String? = nil, position: String? = nil
  ) throws {
    let connection = try writer()
    try MadeNames.makeForRelations(in: connection)
    let relation = MadeRelation(
      table: table, jsonPath: path.flatMap(JSONPath.parts), column: column, other: other,
      through: through, position: position)
    try connection.run(MadeNames.naming(relation))
  }

  private func writer() throws -> Connection {
    var options = ConnectionOptions()
    options.access = .readWrite
    options.journal = .asItIs
    return try Connection(path: path, options: options)
  }
}
