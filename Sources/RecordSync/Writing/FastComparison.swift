import SyncDatabase
import SyncText

/// The first step of a window's way: its elements are compared with their rows as they stand in the
/// text, before values are made of them. Rows that are there as these say are noted, new ones
/// inserted, and changed ones changed; whatever else there is goes on to the draft.
struct FastComparison {
  private let finder: RowFinder
  private let notes: PassNotes
  private let linker: RowLinker
  private let task: PassTask
  private var comparison: TapeComparison?
  private var isTried = false
  /// Whether all elements so far were done by it.
  var isThroughout = true
  /// How many rows the table has; `nil` where that doesn't matter.
  private var rowCount: Int?

  init(_ linker: RowLinker, _ task: PassTask) {
    self.linker = linker
    self.task = task
    (finder, notes) = (linker.finder, linker.notes)
  }

  /// Gives the elements that have to go on; `nil` if all of them have to.
  mutating func write(_ window: PayloadWindow) throws -> [Int]? {
    // Rows at the top may have an order or a parent, and the table may not allow it.
    guard task.comparesFirst, !task.hasOrder, let table = task.table, try begin(table)
    else { return nil }
    var looks = 0
    let found = try comparison?.compare(window, finder.connection) { [notes] count in
      looks += count
      try notes.counter.countLooks(count)
    }
    guard var compared = found else {
      notes.counter.expectAgain(looks)
      return nil
    }
    try comparison?.write(&compared, of: window, finder.connection)
    window.tape.bytes.withUnsafeBufferPointer { text in
      tellOfChanged(compared, in: table, text)
      noteSame(compared, in: table, text)
      tellOfNew(compared, in: table, text)
    }
    notes.counter.expectAgain(compared.countRows(of: .other))
    return compared.elements(.other)
  }

  private mutating func begin(_ table: Int) throws -> Bool {
    guard !isTried else { return comparison != nil }
    isTried = true
    comparison = try TapeComparison(
      finder.schema, table, finder.tables, operations: linker.operations,
      mayInsert: linker.insertionHook == nil, finder.connection)
    guard comparison != nil else { return false }
    if linker.operations.contains(.delete), !task.isScoped {
      let name = finder.tables[table].name
      rowCount = try finder.connection.row("SELECT count(*) FROM \(name)") {
        try Int($0.integer(0))
      }
    }
    return true
  }

  /// How many rows the table at the top has, if it can be told by that number that the payload
  /// names all of them: where no element went on to the draft, no row that it named has moved or
  /// gone.
  func countIfAllAreNamed() -> Int? {
    guard isThroughout, let table = task.table, let rowCount else { return nil }
    return rowCount == notes.seen[table].countNumbers() ? rowCount : nil
  }
}

// MARK: - What was found

extension FastComparison {
  /// Their rows stay, and of the children that hang on them all are named.
  private func noteSame(
    _ compared: ComparedWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    for element in compared.elements(.same) { noteNamed(compared.parents[element], in: table) }
    noteClaims(compared, of: .same, in: table)
    guard let comparison else { return }
    for (number, relation) in comparison.relations.enumerated() {
      let rows = compared.children(number, of: .same).compactMap {
        compared.children[number][$0].row
      }
      guard let column = relation.column else {
        // Many parents name the same children.
        let distinct = Set(rows).sorted()
        notes.report[relation.table.place].duplicates += rows.count - distinct.count
        for row in distinct { notes.noteNamed(row, in: relation.table.place) }
        continue
      }
      for row in rows { notes.noteNamed(row, in: relation.table.place) }
      for child in compared.children(number, of: .same) {
        noteAdopted(compared.children[number][child], in: relation.table.place, text)
      }
      guard comparison.deletes else { continue }
      var parents: [(StoredValue, Int)] = []
      for claim in compared.claims[number] where compared.fates[claim.element] == .same {
        parents.append((compared.parents[claim.element].key.stored(in: text), claim.children.count))
      }
      notes.removals.add(
        parents,
        to: Removals.Group(
          table: relation.table.place, column: column, relation: relation.name,
          unlinks: false))
    }
  }

  private mutating func tellOfNew(
    _ compared: ComparedWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    for element in compared.elements(.new) {
      tellOfNew(compared.parents[element], 0, in: table, text)
      rowCount? += 1
    }
    noteClaims(compared, of: .new, in: table)
    for (number, relation) in (comparison?.relations ?? []).enumerated() {
      for child in compared.children(number, of: .new) {
        // Among the rows of its element, each of another relation counts in another table.
        tellOfNew(compared.children[number][child], child + 1, in: relation.table.place, text)
      }
    }
  }

  private func tellOfNew(
    _ row: ComparedWindow.Row, _ place: Int, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    notes.report.insert(
      RecordKey(row.key.stored(in: text)),
      at: ReportBuilder.Moment(element: notes.elementsBefore + row.element, row: place), in: table)
    if let number = row.row { notes.entanglement.insert([.integer(number)], in: table) }
    noteNamed(row, in: table)
  }

  /// What elements claim isn't looked at: whatever comes later and differs is another thing.
  private func noteClaims(_ compared: ComparedWindow, of fate: ComparedWindow.Fate, in table: Int) {
    guard !compared.claims.isEmpty else { return }
    for element in compared.elements(fate) {
      guard let number = compared.parents[element].row else { continue }
      notes.entanglement.claim(
        [.integer(number)], in: table, nil, RowName(table: table, identity: RecordKey([])))
    }
  }

  /// One that came before, as it was, is set aside: the last word has to be the same each time.
  private func tellOfChanged(
    _ compared: ComparedWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    for element in compared.elements(.changed) {
      let parent = compared.parents[element]
      guard let number = parent.row else { continue }
      let key = RecordKey(parent.key.stored(in: text))
      let isFirst = !notes.seen[table].contains(number)
      let name = RowName(table: table, identity: notes.identities[table].identity(of: key))
      notes.report.update(
        key, columns: compared.members[parent.members].map(\.column),
        at: ReportBuilder.Moment(element: notes.elementsBefore + element, row: 0), in: table,
        isFirst: isFirst)
      notes.entanglement.update([.integer(number)], in: table, name)
      if !isFirst { notes.entanglement.note(name) }
    }
    for element in compared.elements(.changed) { noteNamed(compared.parents[element], in: table) }
  }

  private func noteAdopted(
    _ row: ComparedWindow.Row, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard let number = row.row else { return }
    notes.entanglement.adopt(
      [.integer(number)], in: table,
      RowName(
        table: table,
        identity: notes.identities[table].identity(of: RecordKey(row.key.stored(in: text)))))
  }

  private func noteNamed(_ row: ComparedWindow.Row, in table: Int) {
    guard let number = row.row else { return }
    notes.noteNamed(number, in: table)
  }
}
