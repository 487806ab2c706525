import SyncDatabase

/// The rows of one window on their way into the database. Kept beyond its window only where a row has
/// to wait for others.
final class WindowRows {
  var draft: Draft
  var states: [State]
  /// Rows that have to be tried once more, as something that they need wasn't there.
  var waiting: [Int: Wait] = [:]
  /// Rows that were in the database once: where one isn't any more, the database itself has deleted it
  /// with another.
  var wereThere: Set<Int> = []
  /// Rows whose references are written once all rows of the window are there.
  var toLink: Set<Int> = []
  /// Whether all of its rows were written that could be.
  var isWhole = false
  /// Rows of which only these references are still to be written, and not what hangs on them.
  var linking: Set<Int> = []
  /// Rows that were inserted in this pass.
  var inserted: Set<Int> = []
  /// References that were written before the row to which they lead.
  var ahead: [Ahead] = []
  /// Relations whose children have got their positions.
  var ordered: Set<Ordered> = []
  /// What new rows at the top get for their position, by place.
  var positions: [Int: (column: Int, value: Int64)] = [:]
  /// The last of the rows that name a child by its key alone.
  var parents: [Adopted: Int] = [:]
  /// What was answered where somebody is asked before rows are inserted.
  var insertions: InsertionHook.Answers?
  /// How many windows came before it.
  let number: Int

  init(_ draft: Draft, number: Int) {
    self.draft = draft
    self.number = number
    states = Array(repeating: .open, count: draft.rows.count)
  }

  /// All that is known of its rows, to be gone back to.
  struct Progress {
    fileprivate var draft: Draft
    fileprivate var states: [State]
    fileprivate var waiting: [Int: Wait]
    fileprivate var sets: [Set<Int>]
    fileprivate var ahead: [Ahead]
    fileprivate var ordered: Set<Ordered>
  }

  /// What is known of its rows now.
  var progress: Progress {
    get {
      Progress(
        draft: draft, states: states, waiting: waiting, sets: [wereThere, toLink, inserted],
        ahead: ahead, ordered: ordered)
    }
    set {
      (draft, states, waiting) = (newValue.draft, newValue.states, newValue.waiting)
      (wereThere, toLink, inserted) = (newValue.sets[0], newValue.sets[1], newValue.sets[2])
      (ahead, ordered) = (newValue.ahead, newValue.ordered)
    }
  }

  /// How far a row is.
  enum State {
    /// Nothing was done yet.
    case open
    /// It is being written: what it names may name it again.
    case active
    /// It is in the database, as it is to be.
    case settled(FoundRow, isNew: Bool)
    /// It isn't in the database, and may not be inserted.
    case absent
    /// The database refused it so far.
    case refused
  }

  /// Why a row has to be tried once more.
  enum Wait {
    /// A reference leads to a row that isn't there yet.
    case unresolved([UnresolvedReference])
    /// The database's error.
    case refused(DatabaseError)
    /// The row on which it hangs, or another that it needs, waits as well.
    case other(String)
  }

  /// A reference that was written before the row to which it leads.
  struct Ahead {
    var place: Int
    var column: Int
    /// What the column held before.
    var old: StoredValue?
    var target: Int
  }

  /// A child that is named by its key alone.
  struct Adopted: Hashable {
    var table: Int
    var column: Int
    var key: StoredValue
  }

  /// A row's relation whose children have an order.
  struct Ordered: Hashable {
    var row: Int
    var relation: Int
  }

  /// What a later window says of a row has the last word over what still waits here.
  func giveWay(to later: Draft) {
    for row in later.rows {
      guard let identity = row.identity, let place = draft.place(of: identity, in: row.table),
        waiting[place] != nil
      else { continue }
      for (column, given) in row.values.enumerated() where given != .absent {
        draft.rows[place].values[column] = given
      }
      let relations = Set(row.claims.map(\.relation))
      draft.rows[place].claims.removeAll { relations.contains($0.relation) }
    }
  }

  /// The row in the database, once it is settled.
  func found(_ place: Int) -> FoundRow? {
    if case .settled(let row, _) = states[place] { row } else { nil }
  }

  /// The row that a member names, if the window has an object for it.
  func place(of member: Claim.Member, in schema: TableSchema, _ table: Int) -> Int? {
    switch member {
    case .row(let place): place
    case .key(let key):
      draft.place(of: KeyIdentity(schema).identity(of: RecordKey([key])), in: table)
    }
  }

  /// Whether the row was inserted in this pass.
  func isNew(_ place: Int) -> Bool {
    if case .settled(_, isNew: true) = states[place] { true } else { false }
  }
}
