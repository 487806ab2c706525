/// What a program, or a schema file, says about tables that their declarations don't tell.
public struct SchemaOverrides: Sendable, Equatable {
  /// Further words that keep their case as a whole in names, in lower case: `["gps", "vat"]`.
  public var acronyms: [String] = []
  /// By the tables' names.
  public var tables: [String: Table] = [:]
  /// Whether references to rows that aren't there yet are remembered, and linked when they come.
  public var remembersUnresolved = false
  /// The column that tells since when a row is gone, in each table that has one of this name and of
  /// which nothing else is said: see ``Table/deletedAt``. A table that is synced must have it.
  public var deletedAt: String?
  /// Whether the versions of rows are kept, in tables of which nothing else is said: see
  /// ``Table/keepsHistory``. Default `false`.
  public var keepsHistory = false
  /// What becomes of members that nothing takes, in tables of which that isn't said.
  package var unknownElsewhere = UnknownMembers.freeze

  /// Nothing.
  public init() {}

  /// Whether a table grows a place for what nothing in it takes.
  package var growsTables: Bool {
    tables.values.contains { $0.unknown == .evolve || $0.unknown == .extra }
  }

  /// What becomes of members that nothing in a table takes.
  public enum UnknownMembers: String, Sendable, Hashable {
    /// The table grows a column for each.
    case evolve
    /// They are ignored and counted.
    case freeze
    /// They are kept as JSON in the column `extra`.
    case extra
  }

  /// About a table.
  public struct Table: Sendable, Equatable {
    /// The columns of its key; or, of a table that is to be made, where its parts stand in JSON:
    /// `metadata.uid`, as the name of a ``Column``. A column that has such a way goes by it, too.
    public var key: [String]?
    /// The column of the order of its rows.
    public var position: String?
    /// The column that tells of local edits.
    public var edits: String?
    /// The column that tells since when a row is gone: in place of being deleted, the row is marked
    /// with the time, in the form of that column's dates (RFC 3339 in a text, milliseconds since
    /// 1970 in an integer, seconds in a real). A marked row counts as gone: it is neither read,
    /// exported and counted, nor marked again. Once a payload names it by an object, the mark is
    /// what that says of the column, and NULL where it says nothing.
    public var deletedAt: String?
    /// Whether each version of a row that is written is kept in the table's history, for as long as
    /// this is said: see ``SchemaOverrides/keepsHistory``.
    public var keepsHistory: Bool?
    /// What becomes of members that nothing takes.
    public var unknown: UnknownMembers?
    /// By the columns' names.
    public var columns: [String: Column] = [:]
    /// By the derived names, or names of relations that foreign keys don't tell.
    public var relations: [String: Relation] = [:]

    /// Nothing.
    public init() {}
  }

  /// About a column.
  public struct Column: Sendable, Equatable {
    /// Its name in JSON; dots lead into objects, and a name with dots stands in quotes:
    /// `labels."a.b"`.
    public var name: String?
    /// Whether it is exported. Default `true`.
    public var export: Bool?
    /// Whether `null` leaves it as it is. Default `false`.
    public var ignoreNull: Bool?
    /// What changes its values.
    public var transform: Transformer?
    /// How it stores points in time, which makes it a date.
    public var date: ColumnType.DateStorage?
    /// What its values mean, in place of what its declared type says.
    public var kind: ColumnType.Kind?

    /// Nothing.
    public init() {}
  }

  /// About a relation.
  public struct Relation: Sendable, Equatable {
    /// Its name in JSON, as that of a column.
    public var name: String?
    /// The foreign key's column: this table's, or `table`'s where that is given, or the one of
    /// `through` that points here.
    public var column: String?
    /// The other table.
    public var table: String?
    /// The table of links.
    public var through: String?
    /// The column that keeps the order.
    public var position: String?
    /// Whether a child's key counts only beside its parent's.
    public var perParent: Bool?

    /// Nothing.
    public init() {}
  }
}

extension SchemaOverrides {
  /// Says something about a table.
  ///
  /// ```swift
  /// var overrides = SchemaOverrides()
  /// overrides.table("users") { users in
  ///   users.key = ["remote_id"]
  ///   users.column("age") { $0.name = "age_of_person" }
  ///   users.relation("tags") { $0.position = "place" }
  /// }
  /// ```
  public mutating func table(_ name: String, _ adjust: (inout Table) -> Void) {
    adjust(&tables[name, default: Table()])
  }
}

extension SchemaOverrides.Table {
  /// Says something about a column.
  public mutating func column(
    _ name: String, _ adjust: (inout SchemaOverrides.Column) -> Void
  ) {
    adjust(&columns[name, default: SchemaOverrides.Column()])
  }

  /// Says something about a relation: by its derived name, or by a new one with what it is made of.
  public mutating func relation(
    _ name: String, _ adjust: (inout SchemaOverrides.Relation) -> Void
  ) {
    adjust(&relations[name, default: SchemaOverrides.Relation()])
  }
}
