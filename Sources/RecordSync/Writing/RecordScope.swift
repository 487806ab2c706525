import SyncDatabase
private import SyncText

/// Which rows of a table a payload speaks of.
public struct RecordScope: Sendable, Equatable {
  /// A condition in SQL over the table's columns, with `?` alone for each value; `nil` for none. It
  /// reads, and does nothing else.
  public var condition: String?
  /// The values, in order.
  public var values: [RecordValue]
  /// The row on which all rows of the payload hang.
  public var parent: Parent?

  /// A scope from its parts.
  public init(condition: String? = nil, values: [RecordValue] = [], parent: Parent? = nil) {
    self.condition = condition
    self.values = values
    self.parent = parent
  }

  /// A row of another table.
  public struct Parent: Sendable, Equatable {
    /// The table.
    public var table: String
    /// The row's key.
    public var key: RecordValue
    /// The foreign key's column, where several lead to that table.
    public var column: String?

    /// A parent from its parts.
    public init(table: String, key: RecordValue, column: String? = nil) {
      self.table = table
      self.key = key
      self.column = column
    }
  }
}

/// The rows that a payload speaks of, and what its rows get without saying it.
struct ResolvedScope {
  /// The row on which all hang, and the columns whose values don't come from the objects for that.
  let parent: Parent?
  var given: [Int: StoredValue] { parent.map { [$0.column: $0.value] } ?? [:] }
  /// The column that has a row's place in the payload for the rest of its key.
  var counted: Int? {
    guard let position = parent?.relation?.position, position.isDeclaredKey else { return nil }
    return position.column
  }
  let links: Links?
  let written: SQL?
  private let table: TableSchema
  private let place: Int

  struct Parent {
    var column: Int
    var value: StoredValue
    /// What the rows are to the parent; `nil` where nothing in its objects names them.
    var relation: Relation?
  }

  struct Links {
    var relation: MemberMap.RelationPlace
    /// What the links hold of the parent.
    var own: StoredValue
    /// The rows to which they lead, by the table's column.
    var target: Int
    var condition: SQL
  }

  init(
    _ scope: RecordScope?, of table: Int, _ schema: RecordSchema, _ connection: Connection
  ) throws {
    written = try scope?.condition.map {
      let access = try TableAccess(schema.tables[table])
      let values = scope?.values.map(\.stored) ?? []
      return try connection.condition($0, values: values, over: "\(access.name)")
    }
    self.table = schema.tables[table]
    place = table
    guard let parent = scope?.parent else {
      self.parent = nil
      links = nil
      return
    }
    guard let other = schema.place(of: parent.table) else {
      throw RecordError.table(parent.table, .missing)
    }
    let row = try Self.row(of: parent, in: other, schema, connection)
    guard let key = try Self.foreignKey(from: schema.tables[table], to: other, parent) else {
      links = try Self.links(from: other, to: table, schema, parent, row)
      self.parent = nil
      return
    }
    guard let value = row?.values[key.target] else {
      throw RecordError.noParent(table: parent.table, key: Self.key(of: parent))
    }
    let relation = schema.tables[other].relations.first {
      $0.kind.table == table && $0.kind.childLink?.column == key.column
    }
    let type = schema.tables[table].columns[key.column].type
    self.parent = Parent(
      column: key.column, value: type.affinity.kept(value), relation: relation)
    links = nil
  }

  private static func key(of parent: RecordScope.Parent) -> RecordKey {
    RecordKey(parent.key.stored.map { [$0] } ?? [])
  }

  private static func row(
    of parent: RecordScope.Parent, in other: Int, _ schema: RecordSchema,
    _ connection: Connection
  ) throws -> FoundRow? {
    let row = try TableAccess(schema.tables[other]).row(of: key(of: parent), on: connection)
    return row.flatMap { schema.tables[other].isLive($0) ? $0 : nil }
  }

  private static func links(
    from other: Int, to table: Int, _ schema: RecordSchema, _ parent: RecordScope.Parent,
    _ row: FoundRow?
  ) throws -> Links {
    let name = schema.tables[table].name
    let relations = schema.tables[other].relations
    let places = relations.indices.filter { place in
      guard case .manyToMany(_, _, _, _, table, _) = relations[place].kind else { return false }
      return parent.column == nil
    }
    guard let place = places.first,
      case .manyToMany(let through, let here, let own, let there, _, let target) =
        relations[place].kind
    else { throw RecordError.table(name, .noForeignKey(to: parent.table)) }
    guard places.count == 1 else {
      let names = places.map { relations[$0].name }
      throw RecordError.table(name, .severalForeignKeys(to: parent.table, columns: names))
    }
    guard let value = row?.values[own] else {
      throw RecordError.noParent(table: parent.table, key: key(of: parent))
    }
    let (link, access) = (
      try TableAccess(schema.tables[through]), try TableAccess(schema.tables[table])
    )
    return Links(
      relation: .init(table: other, relation: place, isKeys: false), own: value, target: target,
      condition: """
        \(access.column(target)) IN (SELECT \(link.column(there)) FROM \(link.name)
        WHERE \(link.column(here)) = \(value))
        """)
  }

  private static func foreignKey(
    from table: TableSchema, to other: Int, _ parent: RecordScope.Parent
  ) throws -> ForeignKey? {
    let keys = table.foreignKeys.filter { key in
      guard let column = parent.column else { return key.table == other }
      return key.table == other
        && table.columns[key.column].name.asciiLowercased == column.asciiLowercased
    }
    guard let key = keys.first else { return nil }
    guard keys.count == 1 else {
      let columns = keys.map { table.columns[$0.column].name }
      throw RecordError.table(
        table.name, .severalForeignKeys(to: parent.table, columns: columns))
    }
    return key
  }

  /// As ``given``, for the element with so many before it.
  func given(at number: Int) -> [Int: StoredValue] {
    var given = given
    if let counted { given[counted] = .integer(Int64(number)) }
    return given
  }

  /// What a row of the scope fulfils; none does that is marked as gone. Of a table that refers to
  /// itself only the roots are meant unless more is said: the others are the business of their
  /// parents' relations.
  func condition(_ access: TableAccess) -> SQL {
    var parts: [SQL] = given.map { "\(access.column($0.key)) = \($0.value)" }
    if let links { parts.append(links.condition) }
    if let written { parts.append(written) }
    if parts.isEmpty {
      let own = table.foreignKeys.filter { $0.table == place }
      parts = own.map { "\(access.column($0.column)) IS NULL" }
    }
    parts.append(access.isLive)
    return "\(parts, separator: " AND ")"
  }
}
