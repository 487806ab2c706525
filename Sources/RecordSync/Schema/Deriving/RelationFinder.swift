private import SyncText

/// The relations that foreign keys tell of, under the names that tables and columns give them.
struct RelationFinder {
  let tables: [TableSchema]
  let links: [LinkTable?]
  let spelling: Spelling

  /// - Parameter tables: With their keys.
  init(_ tables: [TableSchema], _ spelling: Spelling) {
    self.tables = tables
    self.spelling = spelling
    // A table that links rows of one table to each other gives no name to either side.
    links = tables.map { LinkTable($0) }.map { $0?.first.table == $0?.second.table ? nil : $0 }
  }

  /// All of a table's, also those that share a name.
  func relations(of table: Int) -> [Relation] {
    toOnes(of: table) + toManys(of: table) + manyToManys(of: table)
  }

  /// Where the rows of `child` hang on those of a table: one each, if no two may hang on one.
  func inverse(of column: Int, in child: Int, own: Int) -> Relation.Kind {
    tables[child].isUnique(column)
      ? .inverseToOne(table: child, column: column, own: own)
      : .toMany(table: child, column: column, own: own)
  }

  private func toOnes(of table: Int) -> [Relation] {
    var taken: Set<[UInt8]> = []
    var columns: Set<Int> = []
    return relating(table).compactMap { key in
      guard columns.insert(key.column).inserted else { return nil }
      let column = tables[table].columns[key.column].name
      let name = Self.toOneName(column)
      let isFree = taken.insert(spelling.canonical(Array(name.utf8))).inserted
      return Relation(
        name: isFree ? name : column,
        kind: .toOne(column: key.column, table: key.table, target: key.target))
    }
  }

  private func toManys(of table: Int) -> [Relation] {
    tables.indices.filter { links[$0] == nil }.flatMap { child in
      relating(child).filter { $0.table == table }.map { key in
        var relation = Relation(
          name: tables[child].name, kind: inverse(of: key.column, in: child, own: key.target))
        relation.isPerParent = isPerParent(key.column, in: child)
        if case .inverseToOne = relation.kind {
          relation.otherNames = Array(spelling.singulars(of: tables[child].name))
          relation.name = relation.otherNames.removeFirst()
        } else {
          relation.position = position(in: child).map { .derived(column: $0) }
        }
        return relation
      }
    }
  }

  private func manyToManys(of table: Int) -> [Relation] {
    tables.indices.flatMap { through -> [Relation] in
      guard let link = links[through] else { return [] }
      return [(link.first, link.second), (link.second, link.first)].compactMap { here, there in
        guard here.table == table else { return nil }
        var relation = Relation(
          name: tables[there.table].name,
          kind: .manyToMany(
            through: through, here: here.column, own: here.target, there: there.column,
            table: there.table, target: there.target))
        if here == link.first { relation.position = link.position.map { .derived(column: $0) } }
        return relation
      }
    }
  }

  /// The foreign keys that are relations: not those to a base, nor those that SQLite computes.
  private func relating(_ table: Int) -> [ForeignKey] {
    let own = tables[table]
    return own.foreignKeys.filter { key in
      !own.columns[key.column].isGenerated
        && !(own.base == key.table && [key.column] == own.primaryKey)
    }
  }

  /// A child under several kinds of parents has several orders, of which one column can't keep all.
  private func position(in child: Int) -> Int? {
    let own = tables[child]
    let orders = relating(child).filter { !own.isUnique($0.column) }
    return orders.count == 1 ? own.columns.indices.first(where: own.isPosition) : nil
  }

  /// Where the key of a child names its parent, too, it counts only beside that.
  private func isPerParent(_ column: Int, in child: Int) -> Bool {
    let key = tables[child].key.columns
    return key.count > 1 && key.contains(column)
  }

  /// A foreign key's column without `_id`, or `Id`, or `ID`.
  static func toOneName(_ column: String) -> String {
    for ending in ["_id", "_ID", "_Id"] where column.hasSuffix(ending) {
      return column.utf8.count > 3 ? String(column.dropLast(3)) : column
    }
    guard column.hasSuffix("Id") || column.hasSuffix("ID"),
      let before = column.utf8.dropLast(2).last,
      (0x61...0x7A).contains(before) || (0x30...0x39).contains(before)
    else { return column }
    return String(column.dropLast(2))
  }
}

extension Relation {
  init(name: String, kind: Kind) {
    self.init(
      name: name, otherNames: [], keyNames: [], isDeclared: false, kind: kind, position: nil,
      isPerParent: false)
  }

  /// The path of its declared name through objects; one derived name is one part, dots or not.
  var jsonPath: [String] { isDeclared ? JSONPath.parts(of: name) ?? [name] : [name] }
}

/// A table that does nothing but link rows of two others, or of one: two foreign keys which
/// together are unique, and at most a position and the column by which links are marked as gone.
struct LinkTable {
  /// The foreign key that stands first in the key, and so orders what a position counts.
  let first: ForeignKey
  let second: ForeignKey
  /// The column that keeps the order of what hangs on a row that ``first`` refers to.
  let position: Int?

  /// - Returns: `nil` for a table that holds more than links.
  init?(_ table: TableSchema) {
    let keys = table.foreignKeys
    guard keys.count == 2, keys[0].column != keys[1].column, table.base == nil else { return nil }
    let pair: Set = [keys[0].column, keys[1].column]
    guard let key = ([table.primaryKey] + table.uniques).first(where: { Set($0) == pair }) else {
      return nil
    }
    let others = table.columns.indices.filter {
      !pair.contains($0) && ![table.rowNumberColumn, table.mark].contains($0)
    }
    let position = others.first
    guard others.count <= 1, position.map(table.isPosition) ?? true else { return nil }
    let ordered = position.map { position in
      table.uniques.first { $0.count == 2 && $0.contains(position) && !pair.isDisjoint(with: $0) }
    }
    let leading = (ordered ?? nil)?.first { $0 != position } ?? key[0]
    first = keys[0].column == leading ? keys[0] : keys[1]
    second = keys[0].column == leading ? keys[1] : keys[0]
    self.position = position
  }
}

extension TableSchema {
  /// Whether a column is known for a position by its name and type.
  func isPosition(_ column: Int) -> Bool { isCount(column) && !primaryKey.contains(column) }

  /// As ``isPosition(_:)``, also for a part of the primary key.
  func isCount(_ column: Int) -> Bool {
    let name = columns[column].name.asciiLowercased.replacing("_", with: "")
    return ["position", "sortorder"].contains(name) && columns[column].type.affinity == .integer
      && !columns[column].isGenerated && !foreignKeys.contains { $0.column == column }
  }

  /// The column which is a child's key together with the one that leads to its parent.
  func restOfKey(beside link: Int) -> Int? {
    guard key.columns.count == 2, key.columns.contains(link) else { return nil }
    return key.columns.first { $0 != link }
  }
}
