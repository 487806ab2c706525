/// Why a table can't be synced, or an override not be taken.
public enum SchemaProblem: Error, Sendable, Equatable {
  /// A table has no key: neither a primary key of one column nor a column `id` or `remote_id`.
  case withoutKey(table: String)
  /// An override names a table that isn't there.
  case noTable(String)
  /// An override names a column that isn't there.
  case noColumn(String, table: String)
  /// The column that was to keep an order holds no whole numbers.
  case noPositions(String, table: String)
  /// Two columns, or a column and a relation, claim one name in JSON.
  case sameName(String, table: String, first: String, second: String)
  /// A column's or a relation's declared name in JSON is empty, or a part of it between dots is.
  case emptyName(of: String, table: String)
  /// The overrides speak twice of one table, column or relation, in two spellings.
  case declaredTwice(String, String)
  /// The rows of `other` hang on those of `table` in several ways, told by foreign keys
  /// (`messages.sender_id`), and one name could mean each of them.
  case ambiguousRelation(table: String, other: String, columns: [String])
  /// An override describes a relation that can't be: what is wrong.
  case noRelation(String, table: String, RelationFault)
  /// The schema file isn't one: what is wrong, and where in it (`tables.users.key`).
  case file(FileFault, at: String)

  /// What is wrong with a relation's description.
  public enum RelationFault: Sendable, Equatable {
    /// The column refers to no table, and `table` names none.
    case leadsNowhere(column: String)
    /// The table of links has no foreign key to this side, or to the other.
    case withoutLink(through: String, to: String)
    /// A relation to a table of its own needs `through` and `column`.
    case toItself
    /// Neither table refers to the other, and no table links them.
    case unrelated(table: String)
    /// There is no relation of this name, and no `table`, `column` or `through` describes one.
    case unknown
    /// `position` and `perParent` are for relations to many: `perParent` for children alone.
    case notForThis(String)
  }

  /// What is wrong with a schema file.
  public enum FileFault: Sendable, Equatable {
    /// It isn't JSON: why, and at which byte.
    case notJSON(String, offset: Int)
    /// A member that isn't known.
    case unknownMember(String)
    /// Another type was expected.
    case expected(String)
    /// A word that isn't one of these.
    case unknownWord(String, known: [String])
  }
}

/// What was understood of a database, and may not be what was meant.
public enum SchemaWarning: Sendable, Equatable {
  /// The table can't be synced until a key is declared.
  case withoutKey(table: String)
  /// A name means a column, and so not the relation that it could have meant.
  case columnHidesRelation(table: String, name: String)
  /// A name means a column of this table, and so not the one of a table that it extends.
  case columnHidesColumn(table: String, base: String, name: String)
  /// A to-one and a to-many share a derived name; the to-one has it.
  case toOneHidesToMany(table: String, name: String)
  /// A to-many has no name, since several foreign keys lead to the table.
  case unnamedToMany(table: String, other: String, columns: [String])
  /// A foreign key leads to a column that may hold a value twice, so that SQLite refuses to write.
  case repeatableTarget(table: String, column: String, to: String)
  /// A foreign key leads to a table or a column that isn't there.
  case danglingForeignKey(table: String, column: String, to: String)
  /// A foreign key of several columns gives no relation.
  case compositeForeignKey(table: String, columns: [String])
}
