import SyncDatabase
import SyncEngine

struct PassTask {
  /// The table at the top of the payload; `nil` for the edit of single rows.
  var table: Int?
  var operations: Operations
  /// Whether the payload speaks of some of its rows only.
  var isScoped = false
  /// The column that keeps the order of its rows.
  var order: TopOrder?
  /// What the rows fulfil of which the payload is to name all.
  var scope: SQL?
  /// Whether the order of its rows counts, or their links to a parent.
  var hasOrder = false
  /// Whether elements may be compared as they stand in the text: nobody has a say in single ones.
  var comparesFirst = false
  /// Whether elements wait until all others are written.
  var hasAside = false
  /// Whether a child stays where it hangs when another parent names it.
  var keepsParents = false
  var insertionHook: InsertionHook?
  var doubt: PayloadProblem?
  var progress: (Int) throws -> Void
}

/// One pass over a database, within its transaction: takes the windows of a payload one after the
/// other and makes the rows equal to them.
///
/// What can't be done at once, since it needs rows that come later or values that others still
/// hold, waits for its ``ending``.
final class RecordPass {
  let finder: RowFinder
  let notes: PassNotes
  let linker: RowLinker
  let ending: PassEnding
  private let task: PassTask
  private let remembered: RememberedReferences?
  private var comparison: FastComparison
  private var windows = 0
  /// The rows at the top of the payload, where their order or their links count.
  var top: TopRows?
  /// Whether the payload is one object that stands in no array.
  var isPutAlone = false
  /// Why no row may go for the payload.
  var doubt: PayloadProblem?

  init(_ connection: Connection, _ schema: RecordSchema, _ task: PassTask) throws {
    self.task = task
    finder = try RowFinder(connection, schema, operations: task.operations)
    notes = PassNotes(schema, task)
    let writer = RowWriter(finder, notes, keepsParents: task.keepsParents)
    var hook = task.insertionHook
    hook?.schema = schema
    linker = RowLinker(writer, operations: task.operations, insertionHook: hook)
    remembered = try RememberedReferences(writer)
    ending = PassEnding(linker, remembered, task)
    comparison = FastComparison(linker, task)
    if task.hasOrder { top = TopRows(task.order) }
    doubt = task.doubt
  }

  var schema: RecordSchema { finder.schema }
  var operations: Operations { linker.operations }
  /// Whether other references are remembered now than before.
  var remembersOthers: Bool { remembered?.hasChanged ?? false }

  /// A pass by the keys that the objects of the first window carry, where a table has two to choose
  /// from; `nil` where this one goes by them.
  func choosingKeys(for window: PayloadWindow) throws -> RecordPass? {
    guard windows == 0, let table = task.table,
      let chosen = KeyChoice.schema(schema, for: window.elements, in: window.tape, of: table)
    else { return nil }
    return try RecordPass(finder.connection, chosen, task)
  }

  /// Nothing but additions and changes is allowed from now on.
  func keepRows() { linker.operations.formIntersection(.keep) }

  /// Does what can be done with a window's elements as they stand in the text; gives the others.
  func writeAtOnce(_ window: PayloadWindow) throws -> [Int] {
    let isFree = notes.waiting.isEmpty && remembered?.isEmpty ?? true
    let left = isFree ? try comparison.write(window) : nil
    comparison.isThroughout = comparison.isThroughout && left?.isEmpty ?? false
    return left ?? Array(window.elements.indices)
  }

  /// How many rows the table has, if it can be told by that number that the payload names all.
  func countIfAllAreNamed() -> Int? { comparison.countIfAllAreNamed() }

  /// Makes the rows of a window equal to what it says, as far as that can be done now.
  func write(_ draft: Draft) throws {
    for (table, noticed) in draft.findings { notes.report[table].add(noticed) }
    let window = WindowRows(draft)
    windows += 1
    try top?.add(window, finder)
    nestChildren(of: window)
    notes.giveWay(to: window)
    remembered?.forget(draft.rows)
    // One without a key is written with the row that names it, and isn't if none does any more.
    for place in order(of: draft) where draft.rows[place].key != nil {
      try linker.settle(place, in: window)
    }
    try linker.linkLater(in: window)
    try linker.takeBackLinksAhead(in: window)
    notes.noteNamed(window)
    notes.keepWaiting(window)
  }

  func finish(_ rule: RemovalLimit) throws { try ending.finish(rule, doubt) }

  /// Rows without relations are written in the order of their keys, in which the database has them.
  private func order(of draft: Draft) -> [Int] {
    let places = Array(draft.rows.indices)
    guard draft.rows.allSatisfy({ $0.claims.isEmpty && $0.key != nil }) else { return places }
    func precedes(_ one: Int, _ other: Int) -> Bool {
      let (one, other) = (draft.rows[one], draft.rows[other])
      guard one.table == other.table else { return one.table < other.table }
      return StoredOrder.precedes(one.key?.values ?? [], other.key?.values ?? [])
    }
    let isSorted = zip(places, places.dropFirst()).allSatisfy { !precedes($1, $0) }
    return isSorted ? places : places.sorted(by: precedes)
  }

  /// A child's link to its parent comes from the nesting, and the last parent that names it has it.
  private func nestChildren(of window: WindowRows) {
    var claims: [(place: Int, claim: Claim)] = []
    for (place, row) in window.draft.rows.enumerated() {
      claims += row.claims.map { (place, $0) }
    }
    // A row that was met before may have got its children last.
    let isSorted = zip(claims, claims.dropFirst()).allSatisfy { $0.claim.number <= $1.claim.number }
    if !isSorted { claims.sort { $0.claim.number < $1.claim.number } }
    for (place, claim) in claims {
      let table = schema.tables[window.draft.rows[place].table]
      let kind = table.relations[claim.relation].kind
      guard let (column, own) = kind.childLink else { continue }
      for member in claim.members {
        let child = window.place(of: member, in: schema.tables[kind.table], kind.table)
        window.nest(
          child, member, in: kind.table, column, under: place,
          key: table.keyColumn == own ? own : nil)
      }
    }
  }
}
