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
  /// References that were written before the row to which they lead.
  var ahead: [Ahead] = []
  /// Relations whose children have got their positions.
  var ordered: Set<Ordered> = []
  /// What new rows at the top get for their position, by place.
  var positions: [Int: (column: Int, value: Int64)] = [:]
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

  /// All that is known of its rows, to be gone back to.
  struct Progress {
    fileprivate var draft: Draft
    fileprivate var rows: [RowProgress]
    fileprivate var ahead: [Ahead]
    fileprivate var ordered: Set<Ordered>
    fileprivate var waitingByKey: [Adopted: Int]
  }

  /// What is known of its rows now.
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
    /// What the column held before.
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

  /// A row's relation whose children have an order.
  struct Ordered: Hashable {
    var row: Int
    var relation: Int
  }

  /// The places of the rows that have to be tried once more.
  var waiting: [Int] { rows.indices.filter { rows[$0].wait != nil } }

  /// What a later window says of a row has the last word over what still waits here.
  func giveWay(to later: Draft) {
    for row in later.rows {
      guard let identity = row.identity, let place = draft.place(of: identity, in: row.table),
        rows[place].wait != nil
      else { continue }
      for (column, given) in row.values.enumerated() where given != .absent {
        draft.rows[place].values[column] = given
      }
      let relations = Set(row.claims.map(\.relation))
      draft.rows[place].claims.removeAll { relations.contains($0.relation) }
    }
  }

  /// The row in the database, once it is settled.
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
