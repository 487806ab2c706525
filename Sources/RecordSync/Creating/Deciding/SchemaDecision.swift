private import SyncText

/// What the tables of a database have to become so that all of a payload fits into them, and why.
/// Nothing is done.
package struct SchemaDecision {
  /// The changes, in an order in which they can be made; none where everything fits already.
  package let changes: [SchemaChange]
  /// Tables of which two objects of one key are one row though they differ, as the schema was made
  /// before, or since they stand at the top of the payload both, or in bodies one after the other.
  package let merged: [(table: String, Contradiction)]
  /// Tables whose rows hang on one other each, and are named under several, with that name.
  package let moving: [(table: String, name: String)]
  /// A table whose objects have more names than one can have columns.
  package let tooWide: String?

  /// Decides for all of a payload.
  ///
  /// - Parameters:
  ///   - outline: What the payload is like.
  ///   - findings: What is known of its objects that have keys.
  ///   - table: The table of its elements.
  ///   - flatten: In how many objects the names of a flat one may stand.
  ///   - crowded: What was found to hang on several rows as the payload was written. Default none.
  ///   - look: What is asked of columns that are there.
  /// - Throws: ``PayloadProblem`` where no element has a key; ``SchemaProblem`` for a table that
  ///   can't be synced.
  package init(
    for outline: PayloadOutline, _ findings: KeyFindings, of table: String,
    in present: PresentTables, flatten: Int = 2, crowded: Set<CrowdedLink> = [],
    _ look: ColumnLook = ColumnLook()
  ) throws {
    if let place = present.schema.place(of: table),
      let problem = present.schema.tables[place].key.problem
    {
      throw problem
    }
    let walk = DecisionWalk(
      outline, findings, of: table, in: present, flatten: flatten, crowded: crowded)
    let types = try WiderTypes(for: walk, look)
    changes = try TableAssembly(walk, types).changes
    (merged, moving, tooWide) = (walk.merged, walk.moving, walk.tooWide)
  }
}
