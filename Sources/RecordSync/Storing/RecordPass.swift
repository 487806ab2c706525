import SyncDatabase

/// One pass over a database, within its transaction: takes drafts of windows one after the other
/// and makes the rows equal to them.
///
/// What can't be done at once, since it needs rows that come later or values that others still
/// hold, waits for ``finish()``.
final class RecordPass {
  let connection: Connection
  private(set) var schema: RecordSchema
  var operations: Operations
  var tables: [TableAccess]
  /// The rows that the payload names, by table.
  var seen: [SeenRows]
  /// Those that it names by objects, by table.
  var named: [NamedRows]
  private(set) var search: RowSearch
  /// By table: what the database itself deletes or unlinks with a row.
  let followers: [[Follower]]
  /// By table: what gives a row whose parents aren't all there, where these aren't looked for.
  let orphans: [SQL?]
  var references: References
  var report: ReportBuilder
  var removals: Removals
  /// References of earlier syncs that led nowhere, and of which this payload says nothing.
  var remembered: [UnresolvedMemory.Row: [UnresolvedMemory.Entry]]
  let wasRemembered: Set<UnresolvedMemory.Entry>
  /// Whether something else is remembered now.
  var remembersMore = false
  /// Windows of which a row has to be tried once more.
  var waiting: [WindowRows] = []
  /// Called with the number of rows since the last call, at the latest after a thousand.
  private let progress: (Int) throws -> Void
  private var unreported = 0
  /// Rows that were looked at, and come once more.
  var counted = 0
  private(set) var windows = 0
  /// How many elements of the payload stand before the window.
  var elementsBefore = 0
  /// Whether elements are written that were set aside.
  var isWritingAside = false
  /// What was written, and of what different things were said.
  var entanglement = Entanglement()
  /// What is compared before values are made of it.
  var fast = FastComparison()
  /// The rows at the top of the payload, where their order or their links count.
  var top: TopRows?
  /// The table that is synced, and whether the payload speaks of some of its rows only.
  var topTable: Int?
  var isScoped = false
  /// Whether the payload is one object that stands in no array.
  var isPutAlone = false
  /// Why no row may go for the payload.
  var doubt: PayloadProblem?
  /// Whether a child stays where it hangs when another parent names it.
  var keepsParents = false
  /// Who is asked before a row is inserted.
  var insertionHook: InsertionHook?
  var parked = 0
  /// How many rows were followed to the one that is being written.
  var depth = 0
  /// Where in the payload the row stands that is being written.
  var moment = ReportBuilder.Moment(element: 0, row: 0)

  init(
    _ connection: Connection, _ schema: RecordSchema, operations: Operations,
    progress: @escaping (Int) throws -> Void
  ) throws {
    self.connection = connection
    self.schema = schema
    self.operations = operations
    self.progress = progress
    tables = try Self.access(to: schema, connection)
    seen = Array(repeating: SeenRows(), count: tables.count)
    named = Array(repeating: NamedRows(), count: tables.count)
    search = RowSearch(
      connection, schema, tables,
      findsOddForms: !operations.isDisjoint(with: [.delete, .deleteRelations]))
    references = References(schema, search)
    report = ReportBuilder(schema)
    removals = Removals()
    followers = schema.followers()
    wasRemembered =
      schema.remembersUnresolved ? try UnresolvedMemory(connection: connection).entries() : []
    remembered = Dictionary(grouping: wasRemembered, by: \.row)
    orphans = schema.orphans(tables)
  }

  private static func access(
    to schema: RecordSchema, _ connection: Connection
  ) throws -> [TableAccess] {
    let conflicting = try connection.tablesWithConflictClauses()
    return try schema.tables.map { table in
      let access = try TableAccess(table)
      if conflicting.contains(table.name) { access.refuseConflicts() }
      return access
    }
  }

  /// Takes the keys that the objects of the first window carry, where a table has two to choose
  /// from.
  func chooseKeys(
    for window: PayloadWindow, of table: Int, _ builder: inout DraftBuilder
  ) throws {
    guard windows == 0,
      let chosen = KeyChoice.schema(schema, for: window.elements, in: window.tape, of: table)
    else { return }
    schema = chosen
    tables = try Self.access(to: chosen, connection)
    search = RowSearch(connection, chosen, tables, findsOddForms: search.findsOddForms)
    references = References(chosen, search)
    report = ReportBuilder(chosen)
    insertionHook?.schema = chosen
    builder = DraftBuilder(chosen, operations: operations)
  }

  /// Makes the rows of a window equal to what it says, as far as that can be done now.
  func write(_ draft: Draft) throws {
    report.add(draft.findings)
    for earlier in waiting {
      noteKeys(of: earlier, in: draft)
      earlier.giveWay(to: draft)
    }
    let window = WindowRows(draft)
    windows += 1
    try top?.add(window, schema, in: self)
    nestChildren(of: window)
    if !remembered.isEmpty { for row in draft.rows { forgetRemembered(row) } }
    // One without a key is written with the row that names it, and isn't if none does any more.
    for place in order(of: draft) where draft.rows[place].key != nil {
      try settle(place, in: window)
    }
    try linkLater(in: window)
    try takeBackLinksAhead(in: window)
    for (place, row) in draft.rows.enumerated() {
      guard let identity = row.identity else { continue }
      named[row.table].insert(window.found(place)?.address, identity)
    }
    if !window.waiting.isEmpty { waiting.append(window) }
  }

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
    for (place, row) in window.draft.rows.enumerated() {
      for claim in row.claims {
        let kind = schema.tables[row.table].relations[claim.relation].kind
        guard let (column, own) = kind.childLink else { continue }
        for member in claim.members {
          let child = window.place(of: member, in: schema.tables[kind.table], kind.table)
          window.nest(
            child, member, in: kind.table, column, under: place,
            key: schema.tables[row.table].keyColumn == own ? own : nil)
        }
      }
    }
  }

  /// Does something that is taken back when it throws.
  func attempt(_ body: () throws -> Void) throws {
    let known = search.known
    do {
      try connection.savepoint(body)
    } catch {
      search.known = known
      throw error
    }
  }

  /// Counts a row, unless it was counted when it was looked at.
  func countRow() throws {
    guard counted == 0 else { return counted -= 1 }
    try countLooks(1)
  }

  func countLooks(_ count: Int) throws {
    unreported += count
    guard unreported >= 1_000 else { return }
    try progress(unreported)
    unreported = 0
  }

  /// Tells of the rows that weren't told of.
  func countRest() throws {
    try progress(unreported)
    unreported = 0
  }
}
