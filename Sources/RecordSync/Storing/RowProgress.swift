import SyncDatabase

/// How far one row of a payload is on its way into the database: which steps it has taken, and what
/// it waits for. A value; the pass carries out what it says.
///
/// open → active → settled, absent or refused. What waits, or has to be looked at once more, is
/// opened again.
struct RowProgress: Equatable {
  /// How far the row is.
  private(set) var state = State.open
  /// Why it has to be tried once more.
  private(set) var wait: Wait?
  /// Whether it was inserted in this pass.
  private(set) var isNew = false
  /// Whether it was in the database once: where it isn't any more, the database itself has deleted
  /// it with another.
  private(set) var wasThere = false
  /// When its references are written that lead to rows which come later.
  private(set) var references = References.now

  /// How far a row is.
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

  /// Whether it may still be inserted.
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

  /// It isn't in the database, and stays out of it.
  mutating func leaveOut() { state = .absent }

  /// It can't be written as things stand.
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

  /// It waits no longer, and is told of with this reason.
  mutating func giveUp(_ reason: String) { wait = .other(reason) }

  /// All of it is looked at once more.
  mutating func reopen() {
    wasThere = wasThere || found != nil
    state = .open
  }

  /// More has become known of it: if it was settled, it is looked at once more.
  mutating func reopenIfSettled() { if found != nil { reopen() } }

  /// References to rows that come later wait for the end of the window.
  mutating func deferReferences() { references = .later }

  /// The window's rows are there: opens a row whose references waited for that. Where more has to
  /// wait, all of the row is tried once more.
  mutating func openReferences() {
    references = wait == nil ? .only : .now
    reopenIfSettled()
  }

  mutating func closeReferences() { references = .now }
}
