/// What JSON names under a row's name and other rows hold.
package struct Relation: Sendable, Equatable {
  package var name: String
  /// Further derived names, in the spelling of the database: a table's own name, a singular.
  package var otherNames: [String]
  /// Names under which only keys stand: `tag_ids`; empty for a to-one, whose column has that name.
  package var keyNames: [String]
  /// Whether the name was declared, so that nothing is derived any more.
  package var isDeclared: Bool
  package var kind: Kind
  /// The column that keeps the order of a to-many: of the child, or of the table of links.
  package var position: Position?
  /// Whether the key of a child counts only beside its parent's.
  package var isPerParent: Bool
  /// Whether it was made of payloads, together with its table.
  package var isMade = false

  /// The other rows. Tables and columns by their places.
  package enum Kind: Sendable, Equatable {
    /// A foreign key in this table: `column` refers to `target` of `table`.
    case toOne(column: Int, table: Int, target: Int)
    /// A foreign key in the other table, each value of which stands in one row: `column` of `table`
    /// refers to `own` of this one.
    case inverseToOne(table: Int, column: Int, own: Int)
    /// A foreign key in the other table: `column` of `table` refers to `own` of this one.
    case toMany(table: Int, column: Int, own: Int)
    /// A table of links: its `here` refers to `own` of this table, its `there` to `target` of
    /// `table`.
    case manyToMany(through: Int, here: Int, own: Int, there: Int, table: Int, target: Int)
  }

  package enum Position: Sendable, Equatable {
    /// One that is written in the order of the array, whatever its members say.
    case declared(column: Int)
    /// One that was recognised by its name: it is written unless members carry it.
    case derived(column: Int)
    /// One that is the rest of a child's key, beside the link to its parent: a row is told by its
    /// place in the array, and what stands in that place is all of it. Where that wasn't declared,
    /// only as long as no object of the array carries it.
    case key(column: Int, isDeclared: Bool)

    package var column: Int {
      switch self {
      case .declared(let column), .derived(let column), .key(let column, _): column
      }
    }
  }

  /// Whether the array is all that tells its rows apart, so that they are none without it.
  package var isOwnedByPlace: Bool { position?.isDeclaredKey ?? false }

  /// Whether its rows were made as parts of the one on which they hang, or are none without their
  /// array: `null` is no array, and they go.
  package var isOwned: Bool { isOwnedByPlace || isMade && isPerParent }
}

extension Relation.Position {
  package var isDeclaredKey: Bool {
    if case .key(_, isDeclared: true) = self { true } else { false }
  }
}

extension Relation.Kind {
  package var table: Int {
    switch self {
    case .toOne(_, let table, _), .inverseToOne(let table, _, _), .toMany(let table, _, _),
      .manyToMany(_, _, _, _, let table, _):
      table
    }
  }

  package var through: Int? {
    if case .manyToMany(let through, _, _, _, _, _) = self { through } else { nil }
  }

  /// The table whose column keeps the order, if there is one.
  package var keeper: Int? {
    switch self {
    case .toMany(let table, _, _): table
    case .manyToMany(let through, _, _, _, _, _): through
    case .toOne, .inverseToOne: nil
    }
  }

  /// The foreign key of the table itself.
  package var ownColumn: Int? {
    if case .toOne(let column, _, _) = self { column } else { nil }
  }

  /// Whether it leads from a foreign key of the table itself to one row.
  package var isOwn: Bool { ownColumn != nil }

  /// Whether an array names its rows.
  package var isToMany: Bool {
    switch self {
    case .toMany, .manyToMany: true
    case .toOne, .inverseToOne: false
    }
  }

  package var isInverse: Bool { if case .inverseToOne = self { true } else { false } }

  /// Whether the other rows hang on this one: without it they aren't either.
  package var hasChildren: Bool { childLink != nil }

  /// Where children hang on their parent: the child's column and the parent's own.
  package var childLink: (column: Int, own: Int)? {
    switch self {
    case .toMany(_, let column, let own), .inverseToOne(_, let column, let own): (column, own)
    case .toOne, .manyToMany: nil
    }
  }

  /// The other table's column whose values stand for its rows: the one referred to, or its key.
  package func target(key: Int?) -> Int? {
    switch self {
    case .toOne(_, _, let target), .manyToMany(_, _, _, _, _, let target): target
    case .toMany, .inverseToOne: key
    }
  }
}
