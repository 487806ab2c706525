import SyncDatabase
import SyncText

extension RecordPass {
  /// Does at once what can be done with the elements of a window and the children under them as
  /// they stand in the text. Gives the others; `nil` if all go the usual way.
  func writeFamilies(_ window: PayloadWindow, of table: Int) throws -> [Int]? {
    guard try beginFamilies(table),
      var sorted = try families?.sort(
        window, connection, { count in for _ in 0..<count { try countRow() } })
    else { return nil }
    _ = try families?.insert(&sorted, of: window, connection)
    window.tape.bytes.withUnsafeBufferPointer { text in
      noteSame(sorted, in: table, text)
      tellOfNew(sorted, in: table, text)
    }
    counted += sorted.countRows(of: .other)
    return sorted.elements(.other)
  }

  private func beginFamilies(_ table: Int) throws -> Bool {
    guard readsFamilies, families == nil else { return readsFamilies }
    families = try FamilyPass(
      schema, table, tables, operations: operations, mayInsert: insertionHook == nil, connection)
    readsFamilies = families != nil
    return readsFamilies
  }

  /// Their rows stay, and of the children that hang on them all are named.
  private func noteSame(
    _ sorted: FamilyWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard let families else { return }
    for element in sorted.elements(.same) {
      noteNamed(sorted.parents[element], in: table)
      noteClaims(of: sorted.parents[element], in: table)
    }
    for (number, relation) in families.relations.enumerated() {
      for child in sorted.children(number, of: .same) {
        noteNamed(sorted.children[number][child], in: relation.table.place)
      }
      guard families.deletes else { continue }
      var parents: [(StoredValue, Int)] = []
      for claim in sorted.claims[number] where sorted.fates[claim.element] == .same {
        parents.append((sorted.parents[claim.element].key.stored(in: text), claim.children.count))
      }
      removals.add(
        parents,
        to: Removals.Group(
          table: relation.table.place, column: relation.column, relation: relation.name,
          unlinks: false))
    }
  }

  private func tellOfNew(
    _ sorted: FamilyWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard let families else { return }
    for element in sorted.elements(.new) {
      tellOfNew(sorted.parents[element], 0, in: table, text)
      noteClaims(of: sorted.parents[element], in: table)
      flatCount? += 1
    }
    for (number, relation) in families.relations.enumerated() {
      for child in sorted.children(number, of: .new) {
        // Among the rows of its element, each of another relation counts in another table.
        tellOfNew(sorted.children[number][child], child + 1, in: relation.table.place, text)
      }
    }
  }

  private func tellOfNew(
    _ row: FamilyWindow.Row, _ place: Int, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    report.insert(
      RecordKey(row.key.stored(in: text)),
      at: ReportBuilder.Moment(element: elementsBefore + row.element, row: place), in: table)
    if let number = row.row { entanglement.insert([.integer(number)], in: table) }
    noteNamed(row, in: table)
  }

  /// What it claims isn't looked at: whatever comes later and differs is another thing.
  private func noteClaims(of row: FamilyWindow.Row, in table: Int) {
    guard let number = row.row else { return }
    entanglement.claim(
      [.integer(number)], in: table, nil, RowName(table: table, identity: RecordKey([])))
  }

  private func noteNamed(_ row: FamilyWindow.Row, in table: Int) {
    if let number = row.row { noteNamed(number, in: table) }
  }
}
