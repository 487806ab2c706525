import TestSupport

/// Some tables with random columns and random links between them.
struct RandomSchema {
  struct Table {
    var name: String
    /// What it is called in a foreign key: `alpha` in `alpha_id`.
    var singular: String
    var columns: [String]
    /// Tables to which it refers, by the column.
    var references: [(column: String, table: Int)]
  }

  var tables: [Table]
  /// Pairs of tables with a table of links between them.
  var links: [(one: Int, other: Int)]
  let onDelete: String

  private static let names = ["alpha", "beta", "gamma", "delta"]

  init(using random: inout SeededGenerator) {
    let count = Int.random(in: 1...4, using: &random)
    tables = Self.names.prefix(count).map { name in
      Table(
        name: name + "s", singular: name,
        columns: (0..<Int.random(in: 1...3, using: &random)).map { "c\($0)" }, references: [])
    }
    onDelete = Bool.random(using: &random) ? "CASCADE" : "SET NULL"
    links = []
    for place in tables.indices {
      if Bool.random(using: &random) {
        tables[place].references.append((column: "parent_id", table: place))
      }
      for other in tables.indices where other < place {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: tables[place].references.append(("\(tables[other].singular)_id", other))
        case 1: tables[other].references.append(("\(tables[place].singular)_id", place))
        case 2: links.append((other, place))
        default: break
        }
      }
    }
  }

  /// Makes the tables.
  var statements: String {
    let tables = tables.map { table in
      let columns =
        ["id INTEGER PRIMARY KEY"] + table.columns.map { "\($0) TEXT" }
        + table.references.map {
          "\($0.column) INTEGER REFERENCES \(self.tables[$0.table].name) ON DELETE \(onDelete)"
        }
      return "CREATE TABLE \(table.name) (\(columns.joined(separator: ", ")))"
    }
    let links = links.map { link in
      let (one, other) = (self.tables[link.one], self.tables[link.other])
      return """
        CREATE TABLE \(one.singular)_\(other.name) (
          \(one.singular)_id INTEGER NOT NULL REFERENCES \(one.name) ON DELETE CASCADE,
          \(other.singular)_id INTEGER NOT NULL REFERENCES \(other.name) ON DELETE CASCADE,
          PRIMARY KEY (\(one.singular)_id, \(other.singular)_id))
        """
    }
    return (tables + links).joined(separator: ";")
  }

  /// What JSON may name beside the columns of a table.
  enum Relation {
    case toOne(name: String, column: String, table: Int)
    case toMany(name: String, table: Int, column: String)
    case manyToMany(name: String, link: Int, isOne: Bool, table: Int)
  }

  func relations(of place: Int) -> [Relation] {
    var found: [Relation] = tables[place].references.map {
      .toOne(name: String($0.column.dropLast(3)), column: $0.column, table: $0.table)
    }
    for (other, table) in tables.enumerated() {
      for reference in table.references where reference.table == place {
        found.append(.toMany(name: table.name, table: other, column: reference.column))
      }
    }
    for (number, link) in links.enumerated() {
      if link.one == place {
        found.append(
          .manyToMany(name: tables[link.other].name, link: number, isOne: true, table: link.other))
      }
      if link.other == place {
        found.append(
          .manyToMany(name: tables[link.one].name, link: number, isOne: false, table: link.one))
      }
    }
    return found
  }
}
