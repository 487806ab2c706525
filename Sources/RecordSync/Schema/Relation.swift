/// What JSON names under a row's name and other rows hold.
public struct Relation: Sendable, Equatable {
  /// Its name in JSON: as declared, or derived.
  public var name: String
  /// Further derived names that mean it, in the spelling of the database: a table's own name, a
  /// singular.
  package var otherNames: [String]
  /// Names under which only keys stand: `tag_ids`; empty for a to-one, whose column has that name.
  package var keyNames: [String]
  /// Whether the name was declared, so that nothing is derived any more.
  package var isDeclared: Bool
  /// The other rows.
  public var kind: Kind
  /// The column that keeps the order of a to-many: of the child, or of the table of links.
  public var position: Position?
  /// Whether the key of a child counts only beside its parent's.
  public var isPerParent: Bool

  /// The other rows. Tables and columns by their places.
  public enum Kind: Sendable, Equatable {
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

  /// Which column keeps an order.
  public enum Position: Sendable, Equatable {
    /// One that is written in the order of the array, whatever its members say.
    case declared(column: Int)
    /// One that was recognised by its name: it is written unless members carry it.
    case derived(column: Int)

    package var column: Int {
      switch self {
      case .declared(let column), .derived(let column): column
      }
    }
  }
}
