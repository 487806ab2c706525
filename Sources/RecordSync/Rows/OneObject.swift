import SyncDatabase
import SyncText

/// The only object of a payload.
struct OneObject {
  private let window: PayloadWindow

  /// Reads all of the payload. Other than one element is an error.
  init(_ reader: PayloadReader, for table: TableSchema) throws {
    var reader = reader
    var only: PayloadWindow?
    var window = PayloadWindow()
    while try reader.next(&window) {
      if only == nil { only = window }
    }
    guard let only, reader.count == 1, only.tape.kind(of: only.elements[0]) == .object else {
      throw RowError.notOneObject(table: table.name, count: reader.count)
    }
    self.window = only
  }

  /// Reads it into a draft; gives its row, or `nil` if it has no key.
  func read(
    by builder: inout DraftBuilder, as table: Int, given: [Int: StoredValue] = [:]
  ) -> Int? {
    builder.readTop(window.elements[0], in: window.tape, as: table, given: given)
  }

  /// What it gives for the columns of a table's key, which may not be all of them.
  func keyValues(of table: Int, in schema: RecordSchema) -> [Int: StoredValue] {
    var builder = DraftBuilder(schema, operations: .all)
    guard let place = readWithoutKey(by: &builder, as: table) else { return [:] }
    var values: [Int: StoredValue] = [:]
    for column in schema.tables[table].key.columns {
      guard case .value(let value) = builder.draft.rows[place].values[column] else { continue }
      values[column] = value
    }
    return values
  }

  private func readWithoutKey(by builder: inout DraftBuilder, as table: Int) -> Int? {
    let context = DraftBuilder.Context(table: table, isTop: true, mayLackKey: true)
    return builder.read(window.elements[0], in: window.tape, context)
  }

  /// What it gives for the columns of a table and of those that this one extends.
  func values(of table: Int, in schema: RecordSchema) throws -> [String: RecordValue] {
    var builder = DraftBuilder(schema, operations: .all)
    var next = readWithoutKey(by: &builder, as: table)
    if let problem = builder.problem { throw RecordError.schema(problem) }
    var values: [String: RecordValue] = [:]
    while let place = next {
      let row = builder.draft.rows[place]
      for (column, given) in zip(schema.tables[row.table].columns, row.values) {
        guard case .value(let value) = given, values[column.name] == nil else { continue }
        values[column.name] = RecordValue(value)
      }
      next = row.base
    }
    return values
  }

  func withoutKey(of table: TableSchema) -> PayloadProblem {
    .withoutKeys(
      table: table.name, names: table.key.jsonNames, elements: 1, first: window.excerpt(of: 0))
  }
}
