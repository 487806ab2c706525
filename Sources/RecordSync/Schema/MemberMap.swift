/// What a table makes of the members of an object: a name's meaning, whatever its spelling.
package struct MemberMap: Sendable, Equatable {
  /// What one name means. A value may mean several things at once: a declared path `company.name`
  /// fills a column from the object that is a relation besides; and where a foreign key's column
  /// has the name of its to-one, a plain value is the column's, and an object or an array the
  /// relation's.
  package struct Meaning: Sendable, Equatable {
    /// The column that takes the value; of the table itself, or of one that it extends.
    package var column: ColumnPlace?
    /// The relation of the table, or of one that it extends, whose objects or keys the value is.
    package var relation: RelationPlace?
    /// What the members of the value mean, if it is an object.
    package var inside: MemberMap?
    /// Why the name means nothing yet, which is an error where a payload has it.
    package var problem: SchemaProblem?
    /// Whether the name is a reserved word for the column, which an object that has the column's
    /// own name besides means otherwise.
    package var isReservedWord = false

    package init(
      column: ColumnPlace? = nil, relation: RelationPlace? = nil, inside: MemberMap? = nil,
      problem: SchemaProblem? = nil
    ) {
      self.column = column
      self.relation = relation
      self.inside = inside
      self.problem = problem
    }
  }

  package struct ColumnPlace: Sendable, Hashable {
    package var table: Int
    package var column: Int

    package init(table: Int, column: Int) {
      self.table = table
      self.column = column
    }
  }

  package struct RelationPlace: Sendable, Hashable {
    package var table: Int
    package var relation: Int
    /// Whether the name says that keys come (`tag_ids`).
    package var isKeys: Bool

    package init(table: Int, relation: Int, isKeys: Bool) {
      self.table = table
      self.relation = relation
      self.isKeys = isKeys
    }
  }

  /// By the names as they were declared, or literally.
  package var exact: [[UInt8]: Meaning] = [:]
  /// By the names in one spelling: see ``Spelling/canonical(_:)``.
  package var spelled: [[UInt8]: Meaning] = [:]

  package init() {}
}
