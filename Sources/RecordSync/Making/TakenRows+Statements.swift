import SyncDatabase

extension TakenRows {
  /// What takes the rows that aren't marked as gone; nothing is deleted.
  var statements: [SQL] {
    guard let table = Identifier(table), let rows = Identifier(rows), let key = Identifier(key)
    else { return [] }
    let copies: [(to: SQL, from: SQL)] = self.copies.compactMap { copy in
      guard let from = Identifier(copy.from), let to = Identifier(copy.to) else { return nil }
      return ("\(to)", copy.change.applied(to: "c.\(from)"))
    }
    switch way {
    case .reference(let column, let target):
      guard let column = Identifier(column), let target = Identifier(target), !copies.isEmpty
      else { return [] }
      return [
        """
        UPDATE \(table) SET (\(copies.map(\.to))) = (SELECT \(copies.map(\.from))
        FROM \(rows) AS c WHERE c.\(target) = \(table).\(column) AND \(isLive(in: "c", mark)))
        WHERE \(column) IS NOT NULL
        """
      ]
    case .children(let link, let position):
      guard let hung = Identifier(link) else { return [] }
      let place: SQL? = position.flatMap { Identifier($0) }.map { "c.\($0)" }
      let taking = insertion(
        into: table, copies, "\(rows) AS c", "c.\(hung)", by: [place, "c.\(key)"])
      return taking + (isFreed && !taking.isEmpty ? ["UPDATE \(rows) SET \(hung) = NULL"] : [])
    case .links(let through, let here, let there, let target, let position):
      guard let through = Identifier(through), let here = Identifier(here),
        let there = Identifier(there), let target = Identifier(target)
      else { return [] }
      let place: SQL? = position.flatMap { Identifier($0) }.map { "l.\($0)" }
      return insertion(
        into: table, copies, "\(through) AS l JOIN \(rows) AS c ON c.\(target) = l.\(there)",
        "l.\(here)", by: [place, "c.\(key)"])
    }
  }

  /// What says where the key stands of the row that was led to.
  var naming: SQL? {
    guard case .reference(let column, _) = way, !copies.isEmpty else { return nil }
    return linkPath.map { MadeNames.naming(column, of: owner, $0) }
  }

  private func insertion(
    into table: Identifier, _ copies: [(to: SQL, from: SQL)], _ source: SQL, _ parent: SQL,
    by order: [SQL?]
  ) -> [SQL] {
    guard let link = link.flatMap({ Identifier($0) }) else { return [] }
    var columns: [SQL] = ["\(link)"] + copies.map(\.to)
    var values = [parent] + copies.map(\.from)
    if let position = position.flatMap({ Identifier($0) }) {
      columns.append("\(position)")
      values.append(
        """
        row_number() OVER (PARTITION BY \(parent) ORDER BY \(order.compactMap { $0 })) - 1
        """)
    }
    return [
      """
      INSERT INTO \(table) (\(columns)) SELECT \(values) FROM \(source)
      WHERE \(parent) IS NOT NULL AND \(isLive(in: "c", mark)) AND \(isLive(in: "l", linkMark))
      """
    ]
  }

  private func isLive(in rows: Identifier, _ mark: String?) -> SQL {
    mark.flatMap { Identifier($0) }.map { "\(rows).\($0) IS NULL" } ?? "1"
  }
}

extension TakenRows.Copy.Change {
  fileprivate func applied(to value: SQL) -> SQL {
    switch self {
    case .none: value
    case .truthToText: "CASE \(value) WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE \(value) END"
    case .textToJSON: "CASE WHEN \(value) IS NOT NULL THEN json_quote(\(value)) END"
    }
  }
}
