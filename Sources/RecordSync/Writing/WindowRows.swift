import SyncDatabase

/// The rows of one window on their way into the database. Kept beyond its window only where a row
/// has to wait for others.
final class WindowRows {
  /// What the window says, and what the nesting and the order of its rows add to that.
  var draft: Draft
  /// How far each row is, by its place in the draft.
  var rows: [RowProgress]
  /// Whether all of its rows were written that could be.
  var isWhole = false
  var ahead: [Ahead] = []
  /// Relations whose children have got their positions.
  var ordered: Set<Ordered> = []
  /// What rows at the top get for their position, by place.
  var positions: [Int: NewPosition] = [:]
  /// Of children that several rows may name: the last of these, which has it.
  var parents: [Adopted: Int] = [:]
  /// Children that are named by their keys alone and have to wait: the places of their rows.
  private(set) var waitingByKey: [Adopted: Int] = [:]
  /// What was answered where somebody is asked before rows are inserted.
  var insertions: InsertionHook.Answers?

  init(_ draft: Draft) {
    self.draft = draft
    rows = Array(repeating: RowProgress(), count: draft.rows.count)
  }

  struct Progress {
    fileprivate var draft: Draft
    fileprivate var rows: [RowProgress]
    fileprivate var ahead: [Ahead]
    fileprivate var ordered: Set<Ordered>
    fileprivate var waitingByKey: [Adopted: Int]
  }

  var progress: Progress {
    get {
      Progress(
        draft: draft, rows: rows, ahead: ahead, ordered: ordered, waitingByKey: waitingByKey)
    }
    set {
      (draft, rows) = (newValue.draft, newValue.rows)
      (ahead, ordered) = (newValue.ahead, newValue.ordered)
      waitingByKey = newValue.waitingByKey
    }
  }

  /// A reference that was written before the row to which it leads.
  struct Ahead {
    var place: Int
    var column: Int
    var old: StoredValue?
    var target: Int
  }

  /// A child, by the column that refers to its parent.
  struct Adopted: Hashable {
    var table: Int
    var column: Int
    var child: Child

    enum Child: Hashable {
      /// By an object, whose row has this place.
      case row(Int)
      case key(StoredValue)

      init(_ member: Claim.Member) {
        switch member {
        case .row(let place): self = .row(place)
        case .key(let key): self = .key(key)
        }
      }
    }
  }

  struct Ordered: Hashable {
    var row: Int
    var relation: Int
  }

  /// The places of the rows that have to be tried once more.
  var waiting: [Int] { rows.indices.filter { rows[$0].wait != nil } }

  /// What a later window says of a row has the last word over what still waits here.
  func giveWay(_ place: Int, to row: DraftRow) {
    for (column, given) in row.values.enumerated() where given != .absent {
      draft.rows[place].values[column] = given
    }
    let relations = Set(row.claims.map(\.relation))
    draft.rows[place].claims.removeAll { relations.contains($0.relation) }
  }

  func found(_ place: Int) -> FoundRow? { rows[place].found }

  /// The row that a member names, if the window has an object for it.
  func place(of member: Claim.Member, in schema: TableSchema, _ table: Int) -> Int? {
    switch member {
    case .row(let place): place
    case .key(let key):
      draft.place(of: KeyIdentity(schema).identity(of: RecordKey([key])), in: table)
    }
  }

  /// A row hangs on the last one that names it, whatever its own object says.
  ///
  /// - Parameters:
  ///   - child: Its place, where the window has an object for it.
  ///   - key: The parent's column to which the child's column refers, where that is its key; what
  ///     any other column holds comes to light only when the parent is written.
  func nest(
    _ child: Int?, _ member: Claim.Member, in table: Int, _ column: Int, under parent: Int,
    key: Int?
  ) {
    guard let child else {
      guard case .key(let key) = member else { return }
      parents[Adopted(table: table, column: column, child: .key(key))] = parent
      return
    }
    let adopted = Adopted(table: table, column: column, child: .row(child))
    draft.rows[child].nested.insert(column)
    if let key, case .value(_?) = draft.rows[parent].values[key] {
      draft.rows[child].values[column] = draft.rows[parent].values[key]
      if !parents.isEmpty { parents[adopted] = nil }
    } else {
      draft.rows[child].values[column] = .absent
      parents[adopted] = parent
    }
  }

  /// A row has to be tried once more, since a reference leads nowhere yet.
  func wait(_ place: Int, for name: String, _ target: RecordKey) {
    let reference = UnresolvedReference(
      key: draft.rows[place].key, name: name, target: target)
    rows[place].wait(for: [reference])
  }

  /// A child that is named by its key alone was refused, and is tried once more as rows of objects
  /// are.
  func wait(_ child: Adopted, _ row: DraftRow, for error: DatabaseError) {
    var progress = RowProgress()
    progress.refuse(.refused(error))
    waitingByKey[child] = draft.add(row)
    rows.append(progress)
  }
}

/// How far one row of a payload is on its way into the database: which steps it has taken, and what
/// it waits for. A value; the pass carries out what it says.
///
/// open → active → settled, absent or refused. What waits, or has to be looked at once more, is
/// opened again.
struct RowProgress: Equatable {
  private(set) var state = State.open
  private(set) var wait: Wait?
  private(set) var isNew = false
  /// Whether it was in the database once: where it isn't any more, the database itself has deleted
  /// it with another.
  private(set) var wasThere = false
  private(set) var references = References.now

  enum State: Equatable {
    /// Nothing was done yet, or all of it is to be looked at once more.
    case open
    /// It is being written: what it names may name it again.
    case active
    case settled(FoundRow)
    /// It isn't in the database, and may not be inserted.
    case absent
    /// The database refused it so far.
    case refused
  }

  /// Why a row has to be tried once more.
  indirect enum Wait: Equatable {
    /// References lead to rows that aren't there yet.
    case unresolved([UnresolvedReference])
    case refused(DatabaseError)
    /// The row on which it hangs, or another that it needs, waits as well.
    case other(String)

    /// Whether it waits for a row with this key, or what it refers to wasn't looked at.
    func concerns(_ name: String, _ target: RecordKey) -> Bool {
      guard case .unresolved(let references) = self else { return true }
      return references.contains { $0.name == name && $0.target == target }
    }
  }

  /// When references are written that lead to rows which come later.
  enum References: Equatable {
    case now
    /// Once all rows of the window are there.
    case later
    /// They are being written, and nothing else of the row.
    case only
  }

  /// The row in the database, once it is settled.
  var found: FoundRow? { if case .settled(let row) = state { row } else { nil } }

  var isComing: Bool { state == .open || state == .active }

  /// Begins to write the row; `false` if that was done, or is being done.
  mutating func begin() -> Bool {
    guard state == .open else { return false }
    state = .active
    wait = nil
    return true
  }

  mutating func insert(_ row: FoundRow) {
    isNew = true
    state = .settled(row)
  }

  mutating func settle(_ row: FoundRow) { state = .settled(row) }

  mutating func leaveOut() { state = .absent }

  mutating func refuse(_ reason: Wait) {
    state = .refused
    wait = reason
  }

  /// It was inserted, and had to go again.
  mutating func takeBack(_ reason: Wait) {
    isNew = false
    wasThere = false
    refuse(reason)
  }

  /// It is as it is to be, but for references that lead nowhere yet.
  mutating func wait(for references: [UnresolvedReference]) {
    guard !references.isEmpty else { return }
    if case .unresolved(let others) = wait {
      wait = .unresolved(others + references)
    } else {
      wait = .unresolved(references)
    }
  }

  mutating func giveUp(_ reason: String) { wait = .other(reason) }

  mutating func reopen() {
    wasThere = wasThere || found != nil
    state = .open
  }

  /// More has become known of it: if it was settled, it is looked at once more.
  mutating func reopenIfSettled() { if found != nil { reopen() } }

  mutating func deferReferences() { references = .later }

  /// The window's rows are there: opens a row whose references waited for that. Where more has to
  /// wait, all of the row is tried once more.
  mutating func openReferences() {
    references = wait == nil ? .only : .now
    reopenIfSettled()
  }

  mutating func closeReferences() { references = .now }
}
