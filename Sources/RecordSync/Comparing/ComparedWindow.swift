import SyncText

/// The elements of a window with the rows under them, as they stand in the text, and what has to be
/// done for each. A value: whoever has looked at the database says what was found.
struct ComparedWindow {
  /// What is to be written, one behind the other.
  private(set) var members: ContiguousArray<FlatReader.Member> = []
  /// By the tables of the tree, in the order of the text; the elements themselves come first.
  private(set) var rows: [ContiguousArray<Row>]
  /// What rows say of those under them, by the tables of the tree.
  private(set) var claims: [ContiguousArray<Claim>]
  private(set) var fates: ContiguousArray<Fate> = []

  struct Row {
    /// The element that it is, or within which it stands.
    var element: Int
    /// What names it, among the claims on its table; for an element its own place.
    var claim: Int
    var key: FlatKey
    /// What is to be written of it: its part of the window's members.
    var members: Range<Int>
    /// Whether it gives columns only, and each as it is.
    var isFlat: Bool
    var row: Int64?
    var state = State.named

    enum State {
      case named
      /// It isn't there, and others may name it as well.
      case missing
      /// It was missing, and is there now for them all.
      case inserted
    }
  }

  struct Claim {
    var element: Int
    /// The row that says it, among those of its table.
    var above: Int
    var value: JSONTape.Node
    /// Where that begins in the text.
    var start: Int
    /// Whether it says that there are none, and that those that are there stay.
    var unlinks = false
    /// Whether the rows say themselves in which order they are.
    var isOrdered = false
    /// Its part of the rows of the table.
    var rows = 0..<0
    /// Where its rows' members begin among the window's.
    fileprivate var firstMember = 0

    init(element: Int, above: Int, value: JSONTape.Node, start: Int) {
      (self.element, self.above, self.value, self.start) = (element, above, value, start)
    }
  }

  /// What has to be done for an element with its children.
  enum Fate {
    /// Nothing was found yet, or all is there as it says.
    case same
    case new
    /// It has no children, and its row holds something else.
    case changed
    case other
  }

  /// - Parameter tables: How many tables the tree has.
  init(tables: Int) {
    rows = Array(repeating: [], count: tables)
    claims = Array(repeating: [], count: tables)
  }

  mutating func addElement(
    _ key: FlatKey, _ row: Int64?, _ fate: Fate, _ written: ContiguousArray<FlatReader.Member>
  ) {
    let (start, place) = (members.count, fates.count)
    members += written
    rows[0].append(
      Row(
        element: place, claim: place, key: key, members: start..<members.count,
        isFlat: true, row: row))
    fates.append(fate)
  }

  /// Adds what the row of a table that was added last says of one below.
  mutating func addClaim(
    of table: Int, on below: Int, _ value: JSONTape.Node, in tape: borrowing JSONTape
  ) {
    guard let row = rows[table].last else { return }
    claims[below].append(
      Claim(
        element: row.element, above: rows[table].count - 1, value: value,
        start: tape.range(of: value).lowerBound))
  }

  mutating func beginRows(of claim: Int, _ table: Int, unlinks: Bool) {
    let start = rows[table].count
    claims[table][claim].unlinks = unlinks
    claims[table][claim].rows = start..<start
    claims[table][claim].firstMember = members.count
  }

  /// - Parameter isOrdered: Whether it says itself at which place it is.
  mutating func addRow(
    _ key: FlatKey, of claim: Int, _ table: Int, isFlat: Bool, isOrdered: Bool,
    _ given: ContiguousArray<FlatReader.Member>
  ) {
    let start = members.count
    members += given
    rows[table].append(
      Row(
        element: claims[table][claim].element, claim: claim, key: key,
        members: start..<members.count, isFlat: isFlat))
    let first = claims[table][claim].rows.lowerBound
    claims[table][claim].rows = first..<rows[table].count
    if isOrdered { claims[table][claim].isOrdered = true }
  }

  /// Forgets what the rows give that were added last, unless they are to be inserted.
  mutating func forgetMembers(of claim: Claim) {
    guard fates[claim.element] != .new else { return }
    members.removeSubrange(claim.firstMember...)
  }

  /// Whether no row is named twice: else what is said of it would have to be merged, or it would
  /// have to move from one parent to another.
  ///
  /// - Parameter tables: Those whose rows may not be named twice.
  func namesEachOnce(_ text: UnsafeBufferPointer<UInt8>, in tables: [Int]) -> Bool {
    func isAscending(_ rows: ContiguousArray<Row>) -> Bool {
      zip(rows, rows.dropFirst()).allSatisfy { $0.key.precedes($1.key, in: text) }
    }
    return tables.allSatisfy { table in
      isAscending(rows[table])
        || isAscending(
          ContiguousArray(rows[table].sorted { $0.key.precedes($1.key, in: text) }))
    }
  }

  // MARK: - What was found

  mutating func setRow(_ row: Int64?, of place: Int, in table: Int) { rows[table][place].row = row }

  mutating func setState(_ state: Row.State, of place: Int, in table: Int) {
    rows[table][place].state = state
  }

  mutating func setFate(_ fate: Fate, of element: Int) { fates[element] = fate }

  mutating func refuseNew() {
    for element in fates.indices where fates[element] == .new { fates[element] = .other }
  }

  /// Elements that name one of these rows go the general way: others say something else of it.
  mutating func leave(_ others: Set<Int64>, of table: Int) {
    guard !others.isEmpty else { return }
    for row in rows[table] {
      if let number = row.row, others.contains(number) { fates[row.element] = .other }
    }
  }

  /// What is missing comes with the elements that name it only where no other one has a say in it.
  mutating func leaveMissing() {
    func isMissing(_ row: Row, of fate: Fate) -> Bool {
      row.state == .missing && fates[row.element] == fate
    }
    let isNamedElsewhere = rows.contains { $0.contains { isMissing($0, of: .other) } }
    guard isNamedElsewhere else { return }
    let left = rows.flatMap { $0.filter { isMissing($0, of: .new) }.map(\.element) }
    for element in left { fates[element] = .other }
  }

  func elements(_ fate: Fate) -> [Int] { fates.indices.filter { fates[$0] == fate } }

  /// The new elements in the order in which they are inserted: that of their keys, in which the
  /// database has them, where nothing hangs on them.
  func newElements(_ text: UnsafeBufferPointer<UInt8>) -> [Int] {
    let new = elements(.new)
    func precedes(_ one: Int, _ other: Int) -> Bool {
      rows[0][one].key.precedes(rows[0][other].key, in: text)
    }
    guard claims.allSatisfy(\.isEmpty),
      !zip(new, new.dropFirst()).allSatisfy({ precedes($0, $1) })
    else { return new }
    return new.sorted(by: precedes)
  }

  /// The rows of elements of a fate, by their places among those of their table.
  func rows(_ table: Int, of fate: Fate) -> [Int] {
    rows[table].indices.filter { fates[rows[table][$0].element] == fate }
  }

  /// What a row says of a table below, if it does.
  func claim(of row: Int, on table: Int) -> Claim? {
    var (low, high) = (0, claims[table].count)
    while low < high {
      let middle = (low + high) / 2
      if claims[table][middle].above < row { low = middle + 1 } else { high = middle }
    }
    guard low < claims[table].count, claims[table][low].above == row else { return nil }
    return claims[table][low]
  }

  func countRows(of fate: Fate) -> Int {
    rows.reduce(0) { $0 + $1.count { fates[$0.element] == fate } }
  }

  /// Whether so many elements have more to be done for them that looking at them hardly paid.
  var isHopeless: Bool { fates.count { $0 == .other } * 2 > fates.count }
}
