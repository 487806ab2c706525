import SyncDatabase

/// The tables whose rows are compared as they stand in the text, from that of the elements down: a
/// node each, with the way that leads to it from the one above. Each stands behind that one.
///
/// A table whose rows hang on others stands in it once, or what is said of one of them in two
/// places would have to be merged.
struct ComparedTree {
  private(set) var nodes: [ComparedNode]

  /// `nil` if the elements themselves can't be compared.
  ///
  /// - Parameter mayInsert: Whether new rows may be inserted below the elements, as far as their
  ///   tables have no say.
  init?(
    _ schema: RecordSchema, _ place: Int, _ tables: [TableAccess], mayInsert: Bool,
    _ connection: Connection
  ) throws {
    guard let top = FlatTable(schema, place),
      try !connection.hasTriggers(on: schema.tables[place]),
      // An index with another collation than the column's own leads to no key.
      try !tables[place].isScanned(for: [top.key], by: connection)
    else { return nil }
    nodes = [ComparedNode(top: top, tables[place])]
    var number = 0
    while number < nodes.count {
      let above = nodes[number]
      for relation in schema.tables[above.table.place].relations.indices
      where !above.isShared && !above.table.isPaired {
        let below = try ComparedNode(
          relation, of: above.table, at: number, schema, tables, mayInsert: mayInsert, connection)
        guard let below, isFree(below) else { continue }
        nodes[number].below.append(
          ComparedNode.Below(relation: relation, node: nodes.count, column: below.leading))
        nodes.append(below)
      }
      number += 1
    }
    let places = Set(nodes.map(\.table.place))
    for number in nodes.indices {
      nodes[number].targets = nodes[number].table.references.map { reference in
        let other = tables[reference.table]
        return ComparedNode.Target(
          column: reference.column,
          existence: "SELECT 1 FROM \(other.name) WHERE \(other.column(reference.target)) = ?",
          mayCome: places.contains(reference.table))
      }
    }
  }

  private func isFree(_ node: ComparedNode) -> Bool {
    !nodes.contains {
      $0.table.place == node.table.place && !($0.isShared && node.isShared)
        || $0.through == node.table.place || node.through == $0.table.place
    }
  }
}

/// A table of a ``ComparedTree``, and the way to it.
struct ComparedNode {
  let table: FlatTable
  let access: TableAccess
  let way: Way
  /// The node above; its own place for the one at the top.
  let above: Int
  /// The relation's name.
  let name: String
  /// Whether its rows go where `null` comes in place of their array.
  let isOwned: Bool
  /// What gives the rows to which the way leads from one row, as ``TableAccess/findByKey`` gives
  /// rows. Its parameter is that row's key; of ``Way/target(_:)`` its number.
  let present: SQL
  let order: Order?
  /// Whether new rows are inserted as they stand.
  let inserts: Bool
  /// In the order of the relations.
  var below: [Below] = []
  var targets: [Target] = []

  enum Way {
    case top
    /// By the column of its own that refers to the row above.
    case child(Int)
    /// By a table of links.
    case links(TableAccess, place: Int, here: Int, there: Int)
    /// By a column of the row above.
    case target(Int)
  }

  /// The column that keeps the order of the array.
  struct Order {
    let column: Int
    /// Where it stands in what gives the rows.
    let place: Int
    /// Whether it is a column of the rows themselves, and objects that have it decide.
    let mayBeGiven: Bool
  }

  struct Below {
    let relation: Int
    let node: Int
    /// The column of the rows themselves that leads there.
    let column: Int?
  }

  /// Where a column leads that objects fill by a key.
  struct Target {
    let column: Int
    let existence: SQL
    /// Whether the row may be new itself.
    let mayCome: Bool
  }

  /// Whether the row on which a cursor of ``present`` or ``TableAccess/findByKey`` stands isn't
  /// marked as gone. One that is has to be written.
  func isLive(_ cursor: borrowing Cursor) -> Bool {
    access.schema.mark.map { cursor.isNull(at: 1 + $0) } ?? true
  }

  /// Whether rows may be named under many others.
  var isShared: Bool {
    switch way {
    case .top, .child: false
    case .links, .target: true
    }
  }

  /// The table of links that leads to it.
  fileprivate var through: Int? {
    if case .links(_, let place, _, _) = way { place } else { nil }
  }

  fileprivate var leading: Int? { if case .target(let column) = way { column } else { nil } }

  init(top table: FlatTable, _ access: TableAccess) {
    self.table = table
    self.access = access
    (way, above, name, isOwned, order, inserts) = (.top, 0, "", false, nil, true)
    present = access.findByKey
  }

  /// `nil` for a relation along which rows can't be compared.
  ///
  /// - Parameter place: The relation's place among those of the table above.
  init?(
    _ place: Int, of table: FlatTable, at above: Int, _ schema: RecordSchema,
    _ tables: [TableAccess], mayInsert: Bool, _ connection: Connection
  ) throws {
    let relations = schema.tables[table.place].relations
    let relation = relations[place]
    let namesakes = relations.filter { $0.kind.table == relation.kind.table }
    guard namesakes.count == 1 || namesakes.allSatisfy(\.kind.isOwn),
      let (below, way) = Self.way(relation, from: table, schema, tables),
      relation.isPerParent == below.isPaired,
      try !tables[below.place].isScanned(for: below.keyColumns, by: connection),
      try !connection.hasTriggers(on: schema.tables[below.place])
    else { return nil }
    let access = tables[below.place]
    var inserts = mayInsert && below.isWritable
    switch way {
    case .top: return nil
    case .child(let column):
      guard try access.isIndexed(column, by: connection) else { return nil }
      present = "\(access.select) WHERE \(access.column(column)) = ? AND \(access.isLive)"
    case .links(let links, _, let here, let there):
      guard try links.isIndexed(here, by: connection), links.schema.mark == nil else { return nil }
      inserts = try inserts && !connection.hasTriggers(on: links.schema)
      present = access.linked(
        through: links, here, there, to: below.key, order: relation.position?.column)
    case .target(let column):
      present = access.referred(from: tables[table.place], column, to: below.key)
    }
    self.inserts = inserts
    self.table = below
    self.access = access
    self.way = way
    self.above = above
    name = relation.name
    isOwned = relation.isOwned
    order = relation.position.map {
      Order($0, of: way, besides: schema.tables[below.place].columns.count)
    }
  }

  private static func way(
    _ relation: Relation, from table: FlatTable, _ schema: RecordSchema, _ tables: [TableAccess]
  ) -> (FlatTable, Way)? {
    switch relation.kind {
    case .toMany(let child, let column, let own):
      var order: Int?
      switch relation.position {
      case .declared(let column): order = column
      // A row is told by its place, and absent members are cleared.
      case .key: return nil
      case .derived, nil: break
      }
      guard own == table.key, isLink(column, of: schema.tables[child], to: table, schema),
        let below = FlatTable(schema, child, under: column, order: order)
      else { return nil }
      return (below, .child(column))
    case .manyToMany(let through, let here, let own, let there, let child, let target):
      let links = schema.tables[through]
      guard own == table.key, let below = FlatTable(schema, child), target == below.key,
        isLink(here, of: links, to: table, schema), isLink(there, of: links, to: below, schema),
        links.hasEachLinkOnce(here, there)
      else { return nil }
      return (below, .links(tables[through], place: through, here: here, there: there))
    case .toOne(let column, let other, let target):
      // The link to the row above comes from the nesting.
      guard table.uses[column] == .reference, let below = FlatTable(schema, other),
        below.key == target
      else { return nil }
      return (below, .target(column))
    case .inverseToOne: return nil
    }
  }

  /// Whether a column holds keys of a table as these are, and nothing else fills it.
  private static func isLink(
    _ column: Int, of table: TableSchema, to other: FlatTable, _ schema: RecordSchema
  ) -> Bool {
    guard let key = table.foreignKeys.first(where: { $0.column == column }) else { return false }
    return key.table == other.place && key.target == other.key && !table.columns[column].hasDefault
      && schema.isLookable(key, of: table)
  }
}

extension TableSchema {
  /// Whether no two rows of it link the same two others, and it needs no more than that.
  fileprivate func hasEachLinkOnce(_ here: Int, _ there: Int) -> Bool {
    ([primaryKey] + uniques).contains { $0.count == 2 && Set($0) == [here, there] }
      && foreignKeys.allSatisfy { key in
        [here, there].contains(key.column) || !columns[key.column].hasDefault
      }
  }
}

extension FlatTable {
  /// The columns by which one row is found.
  fileprivate var keyColumns: [Int] { isPaired ? [key] + (link.map { [$0] } ?? []) : [key] }
}

extension ComparedNode.Order {
  fileprivate init(_ position: Relation.Position, of way: ComparedNode.Way, besides columns: Int) {
    column = position.column
    if case .links = way {
      (place, mayBeGiven) = (1 + columns, false)
    } else {
      place = 1 + position.column
      if case .derived = position { mayBeGiven = true } else { mayBeGiven = false }
    }
  }
}

extension TableAccess {
  /// What gives the rows to which links lead from one row; a link that leads nowhere gives NULLs.
  fileprivate func linked(
    through links: TableAccess, _ here: Int, _ there: Int, to key: Int, order: Int?
  ) -> SQL {
    let columns: [SQL] = qualified + (order.map { ["\(links.name).\(links.column($0))"] } ?? [])
    return """
      SELECT \(columns) FROM \(links.name)
      LEFT JOIN \(name) ON \(name).\(column(key)) = \(links.name).\(links.column(there))
      WHERE \(links.name).\(links.column(here)) = ?
      """
  }

  /// What gives the row to which a column of another one leads.
  fileprivate func referred(from other: TableAccess, _ link: Int, to key: Int) -> SQL {
    """
    SELECT \(qualified) FROM \(other.name)
    JOIN \(name) ON \(name).\(column(key)) = \(other.name).\(other.column(link))
    WHERE \(other.name).\(other.address[0]) = ?
    """
  }

  private var qualified: [SQL] {
    (address + schema.columns.indices.map { column($0) }).map { "\(name).\($0)" }
  }
}
