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
  /// How many rows the table has, without those that are marked as gone; `nil` where that doesn't
  /// matter.
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
      noteSame(compared, text)
      tellOfNew(compared, text)
    }
    notes.counter.expectAgain(compared.countRows(of: .other))
    return compared.elements(.other)
  }

  private var nodes: [ComparedNode] { comparison?.tree.nodes ?? [] }

  private mutating func begin(_ table: Int) throws -> Bool {
    guard !isTried else { return comparison != nil }
    isTried = true
    comparison = try TapeComparison(
      finder.schema, table, finder.tables, operations: linker.operations,
      mayInsert: linker.insertionHook == nil, finder.connection)
    guard comparison != nil else { return false }
    if linker.operations.contains(.delete), !task.isScoped {
      let (name, isLive) = (finder.tables[table].name, finder.tables[table].isLive)
      rowCount = try finder.connection.row("SELECT count(*) FROM \(name) WHERE \(isLive)") {
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
    return rowCount == notes.seen[table].numberCount ? rowCount : nil
  }
}

// MARK: - What was found

extension FastComparison {
  /// Their rows stay, and of the children that hang on them all are named.
  private func noteSame(_ compared: ComparedWindow, _ text: UnsafeBufferPointer<UInt8>) {
    for (table, node) in nodes.enumerated() {
      let places = compared.rows(table, of: .same)
      switch node.way {
      case .top: for place in places { noteNamed(compared.rows[table][place], of: node) }
      case .child(let column):
        for place in places { noteNamed(compared.rows[table][place], of: node) }
        for place in places { noteAdopted(place, of: node, table, compared, text) }
        noteRemovals(compared, of: node, column, table, text)
      case .links, .target: noteShared(compared.rows[table], places, of: node)
      }
      noteClaims(compared, of: .same, node, table)
    }
  }

  /// Many name the same rows.
  private func noteShared(
    _ rows: ContiguousArray<ComparedWindow.Row>, _ places: [Int], of node: ComparedNode
  ) {
    let numbers = places.compactMap { rows[$0].row }
    let distinct = Set(numbers).sorted()
    notes.report[node.table.place].duplicates += numbers.count - distinct.count
    for row in distinct { notes.noteNamed(row, in: node.table.place) }
  }

  private func noteRemovals(
    _ compared: ComparedWindow, of node: ComparedNode, _ column: Int, _ table: Int,
    _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard comparison?.deletes == true else { return }
    for unlinks in [false, true] {
      var parents: [(StoredValue, Int)] = []
      for claim in compared.claims[table]
      where claim.unlinks == unlinks && compared.fates[claim.element] == .same {
        let above = compared.rows[node.above][claim.above]
        parents.append((above.key.stored(in: text), claim.rows.count))
      }
      notes.removals.add(
        parents,
        to: Removals.Group(
          table: node.table.place, column: column, relation: node.name, unlinks: unlinks))
    }
  }

  private mutating func tellOfNew(
    _ compared: ComparedWindow, _ text: UnsafeBufferPointer<UInt8>
  ) {
    for (table, node) in nodes.enumerated() {
      let places = compared.rows(table, of: .new)
      for place in places where !node.isShared || compared.rows[table][place].state == .inserted {
        tellOfNew(place, of: node, table, compared, text)
      }
      switch node.way {
      case .top: rowCount = rowCount.map { $0 + places.count }
      case .links(_, let links, _, _): notes.report[links].linked += places.count
      case .child, .target: break
      }
      if node.isShared { noteShared(compared.rows[table], places, of: node) }
      noteClaims(compared, of: .new, node, table)
    }
  }

  private func tellOfNew(
    _ place: Int, of node: ComparedNode, _ table: Int, _ compared: ComparedWindow,
    _ text: UnsafeBufferPointer<UInt8>
  ) {
    let row = compared.rows[table][place]
    // One table's rows may be named in several ways: the order is that of the text.
    let order = node.isShared ? compared.start(of: place, table) : place
    notes.report.insert(
      compared.key(of: place, node, table, text),
      at: ReportBuilder.Moment(element: notes.elementsBefore + row.element, row: order),
      in: node.table.place)
    if let number = row.row { notes.entanglement.insert([.integer(number)], in: node.table.place) }
    if !node.isShared { noteNamed(row, of: node) }
  }

  /// What rows claim isn't looked at: whatever comes later and differs is another thing.
  private func noteClaims(
    _ compared: ComparedWindow, of fate: ComparedWindow.Fate, _ node: ComparedNode, _ table: Int
  ) {
    guard node.below.contains(where: { $0.column == nil }) else { return }
    for place in compared.rows(table, of: fate) {
      guard let number = compared.rows[table][place].row else { continue }
      notes.entanglement.claim(
        [.integer(number)], in: node.table.place, nil,
        RowName(table: node.table.place, identity: RecordKey([])))
    }
  }

  /// One that came before, as it was, is set aside: the last word has to be the same each time.
  private func tellOfChanged(
    _ compared: ComparedWindow, in table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) {
    for element in compared.elements(.changed) {
      let row = compared.rows[0][element]
      guard let number = row.row else { continue }
      let key = RecordKey(row.key.stored(in: text))
      let isFirst = !notes.seen[table].contains(number)
      let name = RowName(table: table, identity: notes.identities[table].identity(of: key))
      notes.report.update(
        key, columns: compared.members[row.members].map(\.column),
        at: ReportBuilder.Moment(element: notes.elementsBefore + element, row: 0), in: table,
        isFirst: isFirst)
      notes.entanglement.update([.integer(number)], in: table, name)
      if !isFirst { notes.entanglement.note(name) }
    }
    for element in compared.elements(.changed) {
      if let row = compared.rows[0][element].row { notes.noteNamed(row, in: table) }
    }
  }

  private func noteAdopted(
    _ place: Int, of node: ComparedNode, _ table: Int, _ compared: ComparedWindow,
    _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard let number = compared.rows[table][place].row else { return }
    let identities = notes.identities[node.table.place]
    notes.entanglement.adopt(
      [.integer(number)], in: node.table.place,
      RowName(
        table: node.table.place,
        identity: identities.identity(of: compared.key(of: place, node, table, text))))
  }

  private func noteNamed(_ row: ComparedWindow.Row, of node: ComparedNode) {
    guard let number = row.row else { return }
    notes.noteNamed(number, in: node.table.place)
  }
}

extension ComparedWindow {
  /// A number by which rows of an element are in the order of the text.
  fileprivate func start(of place: Int, _ table: Int) -> Int {
    let claim = claims[table][rows[table][place].claim]
    return claim.start + place - claim.rows.lowerBound
  }

  fileprivate func key(
    of place: Int, _ node: ComparedNode, _ table: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> RecordKey {
    let row = rows[table][place]
    let own = row.key.stored(in: text)
    guard node.table.isPaired else { return RecordKey(own) }
    let above = rows[node.above][claims[table][row.claim].above].key.stored(in: text)
    return RecordKey(node.access.schema.key.columns.map { $0 == node.table.key ? own : above })
  }
}
