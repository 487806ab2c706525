/// How names are spelled that weren't declared.
public enum NameStyle: String, Sendable, Hashable {
  /// `user_id`
  case snake
  /// `userID`
  case camel
}

extension RecordSchema {
  /// The path to a column's value in an exported object: as it was declared, or else its name
  /// without the table's before a reserved word (`type` for `user_type`), in this style. `nil`
  /// where a column of an extending table has the name, so that a reader would take the value for
  /// that one's.
  ///
  /// A reader of the object finds the same column by it.
  package func exportedPath(
    of column: MemberMap.ColumnPlace, in table: Int, _ style: NameStyle
  ) -> [String]? {
    let own = tables[column.table]
    let schema = own.columns[column.column]
    if let path = schema.jsonPath { return path }
    let ofKey = own.key.columns.firstIndex(of: column.column).map { own.key.jsonNames[$0] }
    let names = [ofKey, spelling.reservedWord(of: schema.name, in: own.name), schema.name]
    return exportedName(among: names.compactMap { $0 }, in: table, style) { $0.column == column }
  }

  /// The path to a relation's value, or to that of its keys, as that to a column's.
  package func exportedPath(
    of relation: MemberMap.RelationPlace, in table: Int, _ style: NameStyle
  ) -> [String]? {
    let own = tables[relation.table].relations[relation.relation]
    let names = relation.isKeys ? own.keyNames : [own.name] + own.otherNames
    guard relation.isKeys || !own.isDeclared else { return own.jsonPath }
    return exportedName(among: names, in: table, style) { $0.relation == relation }
  }

  private func exportedName(
    among names: [String], in table: Int, _ style: NameStyle,
    _ isMeant: (MemberMap.Meaning) -> Bool
  ) -> [String]? {
    for name in names {
      let styled = style == .snake ? spelling.snake(name) : spelling.camel(name)
      for name in [styled, name] {
        if let meaning = meaning(of: Array(name.utf8), in: members[table]), isMeant(meaning) {
          return [name]
        }
      }
    }
    return nil
  }
}
