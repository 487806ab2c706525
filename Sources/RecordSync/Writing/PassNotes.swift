import SyncDatabase

/// What a pass has noted: which rows the payload names, what was done with them, and which it
/// doesn't name where it was to name all.
final class PassNotes {
  let schema: RecordSchema
  /// By table: how it tells keys apart.
  let identities: [KeyIdentity]
  /// The rows that the payload names, by table.
  var seen: [SeenRows]
  var named: [NamedRows]
  var report: ReportBuilder
  var removals = Removals()
  /// Rows that came into the scope since nothing is left on which they hung, and that aren't named.
  var freed: [KeyedRow] = []
  /// The keys of rows that the payload says are gone, as the table tells them apart.
  var gone: [RecordKey: RecordKey] = [:]
  /// Rows that are gone by that, by their addresses.
  var goneRows: Set<[StoredValue]> = []
  /// What was written, and of what different things were said.
  var entanglement: Entanglement
  let childLinks: [Set<Int>]
  /// By which columns rows hang that were to hang on another one, and stayed.
  var crowded: Set<CrowdedLink> = []
  /// Windows of which a row has to be tried once more.
  var waiting: [WindowRows] = []
  /// The rows of these that wait, as they did when their window was written.
  private var waitingRows: [RowName: [(window: WindowRows, place: Int)]] = [:]
  /// Children that such rows name by their keys alone.
  private var waitingChildren: [RowName: [WaitingChild]] = [:]
  /// Where in the payload the row stands that is being written.
  var moment = ReportBuilder.Moment(element: 0, row: 0)
  /// How many elements of the payload stand before the window.
  var elementsBefore = 0
  var counter: RowCounter

  init(_ schema: RecordSchema, _ task: PassTask) {
    self.schema = schema
    identities = schema.tables.map(KeyIdentity.init)
    counter = RowCounter(tell: task.progress)
    childLinks = schema.childLinks()
    entanglement = Entanglement(
      standsApart: schema.standingApart(under: task.table), hasAside: task.hasAside)
    seen = Array(repeating: SeenRows(), count: schema.tables.count)
    named = Array(repeating: NamedRows(), count: schema.tables.count)
    report = ReportBuilder(schema)
  }

  /// The payload is read: what rows wait for is looked for where it may be by now, and nobody says
  /// anything more that could wait with them.
  func endReading() {
    entanglement.isEnding = true
    waitingRows = [:]
    waitingChildren = [:]
  }

  /// Whether a row stays, since the payload names it and doesn't say that it is gone.
  func stays(_ row: KeyedRow, of group: Removals.Group) -> Bool {
    let isGone = group.column == nil && goneRows.contains(row.address)
    return !isGone && seen[group.table].contains(row.address)
  }

  /// Notes a row of a table with row numbers that an object names.
  func noteNamed(_ row: Int64, in table: Int) {
    seen[table].insert(row)
    named[table].insert(row)
  }

  func noteNamed(_ window: WindowRows) {
    for (place, row) in window.draft.rows.enumerated() {
      guard let identity = row.identity else { continue }
      named[row.table].insert(window.found(place)?.address, identity)
    }
  }

  /// Tells how many objects named rows that others had named in another window.
  func tellOfRepeated() {
    for (table, named) in named.enumerated() {
      report[table].duplicates += named.again
    }
  }

  func name(of row: DraftRow, _ key: RecordKey) -> RowName {
    RowName(table: row.table, identity: row.identity ?? identities[row.table].identity(of: key))
  }

  private struct WaitingChild {
    let window: WindowRows
    let place: Int
    let claim: Claim
    let key: RecordKey
  }

  func keepWaiting(_ window: WindowRows) {
    let places = window.waiting
    if !places.isEmpty { waiting.append(window) }
    for place in places {
      let row = window.draft.rows[place]
      if let identity = row.identity {
        waitingRows[RowName(table: row.table, identity: identity), default: []]
          .append((window, place))
      }
      for claim in row.claims {
        let kind = schema.tables[row.table].relations[claim.relation].kind
        guard kind.childLink != nil else { continue }
        for case .key(let key) in claim.members {
          let key = RecordKey(key)
          let child = RowName(table: kind.table, identity: identities[kind.table].identity(of: key))
          waitingChildren[child, default: []].append(
            WaitingChild(window: window, place: place, claim: claim, key: key))
        }
      }
    }
  }

  /// A window goes before what still waits of earlier ones; rows of which these differ are noted.
  func giveWay(to window: WindowRows) {
    guard !waiting.isEmpty else { return }
    let named = window.draft.rows.indices.compactMap { place -> (name: RowName, place: Int)? in
      let row = window.draft.rows[place]
      guard let identity = row.identity else { return nil }
      let name = RowName(table: row.table, identity: identity)
      let isKnown = waitingRows[name] != nil || waitingChildren[name] != nil
      return isKnown ? (name, place) : nil
    }
    for (name, place) in named {
      let (children, rows) = (waitingChildren[name] ?? [], waitingRows[name] ?? [])
      let isNoted =
        children.contains(where: isAwaited)
        || rows.contains { hangsElsewhere($0.place, in: $0.window, than: place, window) }
      if isNoted { entanglement.note(name) }
    }
    for (name, place) in named {
      for earlier in waitingRows[name] ?? [] {
        earlier.window.giveWay(earlier.place, to: window.draft.rows[place])
      }
    }
  }

  /// Whether a row waits for a child that has its row now: its last parent is to have it.
  private func isAwaited(_ child: WaitingChild) -> Bool {
    let row = child.window.draft.rows[child.place]
    let name = schema.tables[row.table].relations[child.claim.relation].name
    return row.claims.contains { $0.number == child.claim.number }
      && child.window.rows[child.place].wait?.concerns(name, child.key) ?? false
  }

  /// Whether two windows hang a row in different places: what is said last isn't written last.
  private func hangsElsewhere(
    _ place: Int, in earlier: WindowRows, than later: Int, _ window: WindowRows
  ) -> Bool {
    schema.tables[earlier.draft.rows[place].table].foreignKeys.contains { key in
      guard let one = link(key, of: place, in: earlier),
        let other = link(key, of: later, in: window)
      else { return false }
      return one != other
    }
  }

  private enum LinkWord: Equatable {
    case nowhere
    case row(RecordKey)
    /// On an object whose key isn't known.
    case object(ObjectIdentifier, Int)
  }

  /// What a window says of a link; `nil` if nothing.
  private func link(_ key: ForeignKey, of place: Int, in window: WindowRows) -> LinkWord? {
    let row = window.draft.rows[place]
    let identities = identities[key.table]
    let claim = row.claims.first {
      guard case .toOne(key.column, _, _) = schema.tables[row.table].relations[$0.relation].kind
      else { return false }
      return true
    }
    if let claim, !row.nested.contains(key.column) {
      switch claim.members.first {
      case nil: return .nowhere
      case .key(let value): return .row(identities.identity(of: RecordKey([value])))
      case .row(let other):
        guard let identity = window.draft.rows[other].identity else {
          return .object(ObjectIdentifier(window), other)
        }
        return .row(identity)
      }
    }
    guard case .value(let value) = row.values[key.column] else {
      return row.nested.contains(key.column) ? .object(ObjectIdentifier(window), place) : nil
    }
    return value.map { .row(identities.identity(of: RecordKey([$0]))) } ?? .nowhere
  }

  /// Whether a row waits in an earlier window, too: what that says of its links is known.
  func isWaited(for place: Int, in window: WindowRows) -> Bool {
    let row = window.draft.rows[place]
    guard let identity = row.identity else { return false }
    let earlier = waitingRows[RowName(table: row.table, identity: identity)] ?? []
    return earlier.contains { $0.window !== window }
  }

  /// Whether a reference says where a row hangs, on another that may list it.
  func saysWhereItHangs(_ reference: UnresolvedReference, in table: Int) -> Bool {
    let schema = schema.tables[table]
    return childLinks[table].contains { column in
      schema.columns[column].name == reference.name
        || schema.relations.contains {
          guard case .toOne(column, _, _) = $0.kind else { return false }
          return $0.name == reference.name
        }
    }
  }

  /// Notes a child that is named by its key, and whose own object waits for another parent.
  func noteWaiting(
    _ child: RecordKey, of children: RowLinker.Children, besides window: WindowRows
  ) {
    let table = schema.tables[children.table]
    guard let key = table.foreignKeys.first(where: { $0.column == children.column }) else { return }
    let name = RowName(
      table: children.table, identity: identities[children.table].identity(of: child))
    let parent = children.parent.map {
      LinkWord.row(identities[key.table].identity(of: RecordKey($0)))
    }
    for (earlier, place) in waitingRows[name] ?? [] where earlier !== window {
      guard case .unresolved? = earlier.rows[place].wait,
        let word = link(key, of: place, in: earlier), word != parent
      else { continue }
      entanglement.note(name)
    }
  }

  func noteClaims(of place: Int, _ found: FoundRow, in window: WindowRows) {
    let row = window.draft.rows[place]
    guard let identity = row.identity else { return }
    var hasher = Hasher()
    var count = 0
    for claim in row.claims.sorted(by: { $0.relation < $1.relation }) {
      let kind = schema.tables[row.table].relations[claim.relation].kind
      if case .toOne = kind { continue }
      count += 1
      hasher.combine(claim.relation)
      hasher.combine(claim.isNull)
      for member in claim.members {
        switch member {
        case .row(let child): hasher.combine(window.draft.rows[child].identity)
        case .key(let key): hasher.combine(identities[kind.table].identity(of: RecordKey(key)))
        }
      }
    }
    guard count > 0 else { return }
    entanglement.claim(
      found.address, in: row.table, hasher.finalize(),
      RowName(table: row.table, identity: identity))
  }
}

/// Counts the rows of a pass, and tells of them.
struct RowCounter {
  /// Called with the number of rows since the last call, at the latest after a thousand.
  private let tell: (Int) throws -> Void
  private var untold = 0
  /// Rows that were looked at, and come once more.
  private var again = 0

  init(tell: @escaping (Int) throws -> Void) { self.tell = tell }

  /// Counts a row, unless it was counted when it was looked at.
  mutating func countRow() throws {
    guard again == 0 else { return again -= 1 }
    try countLooks(1)
  }

  mutating func countLooks(_ count: Int) throws {
    untold += count
    if untold >= 1_000 { try tellRest() }
  }

  mutating func expectAgain(_ rows: Int) { again += rows }

  mutating func tellRest() throws {
    try tell(untold)
    untold = 0
  }
}
