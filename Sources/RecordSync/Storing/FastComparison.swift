import SyncDatabase
import SyncText

/// The first step of a window's way: its elements are compared with their rows as they stand in the
/// text, before values are made of them. Here stands whether that may be done, and whether it was
/// enough for all elements so far.
struct FastComparison {
  /// Whether nobody has a say in single elements.
  var isAllowed = false
  fileprivate var comparison: TapeComparison?
  fileprivate var isTried = false
  fileprivate var isThroughout = true
  /// How many rows the table has; `nil` where that doesn't matter.
  fileprivate var rowCount: Int?
}

extension RecordPass {
  /// Does at once what can be done with the elements of a window as they stand in the text: rows
  /// that are there as these say are noted, new ones inserted, and changed ones changed. Gives the
  /// other elements.
  func writeAtOnce(_ window: PayloadWindow) throws -> [Int] {
    let left = try compare(window)
    fast.isThroughout = fast.isThroughout && left?.isEmpty ?? false
    return left ?? Array(window.elements.indices)
  }

  private func compare(_ window: PayloadWindow) throws -> [Int]? {
    guard waiting.isEmpty, remembered.isEmpty, let table = topTable,
      try beginComparing(rowsOf: table)
    else { return nil }
    var looks = 0
    let found = try fast.comparison?.compare(window, connection) { count in
      looks += count
      try countLooks(count)
    }
    guard var compared = found else {
      counted += looks
      return nil
    }
    try fast.comparison?.write(&compared, of: window, connection)
    window.tape.bytes.withUnsafeBufferPointer { text in
      tellOfChanged(compared, in: table, text)
      noteSame(compared, in: table, text)
      tellOfNew(compared, in: table, text)
    }
    counted += compared.countRows(of: .other)
    return compared.elements(.other)
  }

  /// `false` where rows at the top have an order or a parent, or the table doesn't allow it.
  private func beginComparing(rowsOf table: Int) throws -> Bool {
    guard fast.isAllowed, top == nil else { return false }
    guard !fast.isTried else { return fast.comparison != nil }
    fast.isTried = true
    fast.comparison = try TapeComparison(
      schema, table, tables, operations: operations, mayInsert: insertionHook == nil, connection)
    guard fast.comparison != nil else { return false }
    if operations.contains(.delete), !isScoped {
      fast.rowCount = try connection.row("SELECT count(*) FROM \(tables[table].name)") {
        try Int($0.integer(0))
      }
    }
    return true
  }

  /// How many rows the table at the top has, if it can be told by that number that the payload
  /// names all of them: where no element went the general way, no row that it named has moved or
  /// gone.
  func countIfAllAreNamed() -> Int? {
    guard fast.isThroughout, let table = topTable, let count = fast.rowCount else { return nil }
    return count == seen[table].countNumbers() ? count : nil
  }
}

// MARK: - What was found

extension RecordPass {
  /// Their rows stay, and of the children that hang on them all are named.
  private func noteSame(
    _ compared: ComparedWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    for element in compared.elements(.same) { noteNamed(compared.parents[element], in: table) }
    noteClaims(compared, of: .same, in: table)
    guard let comparison = fast.comparison else { return }
    for (number, relation) in comparison.relations.enumerated() {
      for child in compared.children(number, of: .same) {
        noteNamed(compared.children[number][child], in: relation.table.place)
      }
      guard comparison.deletes else { continue }
      var parents: [(StoredValue, Int)] = []
      for claim in compared.claims[number] where compared.fates[claim.element] == .same {
        parents.append((compared.parents[claim.element].key.stored(in: text), claim.children.count))
      }
      removals.add(
        parents,
        to: Removals.Group(
          table: relation.table.place, column: relation.column, relation: relation.name,
          unlinks: false))
    }
  }

  private func tellOfNew(
    _ compared: ComparedWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    for element in compared.elements(.new) {
      tellOfNew(compared.parents[element], 0, in: table, text)
      fast.rowCount? += 1
    }
    noteClaims(compared, of: .new, in: table)
    for (number, relation) in (fast.comparison?.relations ?? []).enumerated() {
      for child in compared.children(number, of: .new) {
        // Among the rows of its element, each of another relation counts in another table.
        tellOfNew(compared.children[number][child], child + 1, in: relation.table.place, text)
      }
    }
  }

  private func tellOfNew(
    _ row: ComparedWindow.Row, _ place: Int, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    report.insert(
      RecordKey(row.key.stored(in: text)),
      at: ReportBuilder.Moment(element: elementsBefore + row.element, row: place), in: table)
    if let number = row.row { entanglement.insert([.integer(number)], in: table) }
    noteNamed(row, in: table)
  }

  /// What elements claim isn't looked at: whatever comes later and differs is another thing.
  private func noteClaims(_ compared: ComparedWindow, of fate: ComparedWindow.Fate, in table: Int) {
    guard !compared.claims.isEmpty else { return }
    for element in compared.elements(fate) {
      guard let number = compared.parents[element].row else { continue }
      entanglement.claim(
        [.integer(number)], in: table, nil, RowName(table: table, identity: RecordKey([])))
    }
  }

  /// One that came before, as it was, is set aside: the last word has to be the same each time.
  private func tellOfChanged(
    _ compared: ComparedWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    let identities = KeyIdentity(schema.tables[table])
    for element in compared.elements(.changed) {
      let parent = compared.parents[element]
      guard let number = parent.row else { continue }
      let key = RecordKey(parent.key.stored(in: text))
      let isFirst = !seen[table].contains(number)
      let name = RowName(table: table, identity: identities.identity(of: key))
      report.update(
        key, columns: compared.members[parent.members].map(\.column),
        at: ReportBuilder.Moment(element: elementsBefore + element, row: 0), in: table,
        isFirst: isFirst)
      entanglement.update([.integer(number)], in: table, name)
      if !isFirst { entanglement.note(name) }
    }
    for element in compared.elements(.changed) { noteNamed(compared.parents[element], in: table) }
  }

  private func noteNamed(_ row: ComparedWindow.Row, in table: Int) {
    guard let number = row.row else { return }
    seen[table].insert(number)
    named[table].insert(number)
  }
}
