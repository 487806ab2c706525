import SyncDatabase
import SyncText

/// The elements of a window with their children, as they stand in the text, and what has to be done
/// for each. A value: whoever has looked at the database says what was found.
struct ComparedWindow {
  /// What is to be written, one behind the other.
  private(set) var members: ContiguousArray<FlatReader.Member> = []
  private(set) var parents: ContiguousArray<Row> = []
  private(set) var fates: ContiguousArray<Fate> = []
  /// By relation, in the order of the text.
  private(set) var children: [ContiguousArray<Row>]
  private(set) var claims: [ContiguousArray<Claim>]

  struct Row {
    /// The element that it is, or within which it stands.
    var element: Int
    var key: FlatKey
    /// What is to be written of it: its part of the window's members.
    var members: Range<Int>
    /// Whether it gives columns only, and each as it is.
    var isFlat: Bool
    var row: Int64?
  }

  struct Claim {
    var element: Int
    var value: JSONTape.Node
    /// Its part of the relation's children.
    var children: Range<Int>
    /// Where its children's members begin among the window's.
    fileprivate var firstMember: Int
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

  init(relations: Int) {
    children = Array(repeating: [], count: relations)
    claims = Array(repeating: [], count: relations)
  }

  mutating func addParent(
    _ key: FlatKey, _ row: Int64?, _ fate: Fate, _ written: ContiguousArray<FlatReader.Member>
  ) {
    let start = members.count
    members += written
    parents.append(
      Row(
        element: parents.count, key: key, members: start..<members.count, isFlat: true, row: row))
    fates.append(fate)
  }

  /// Adds what the element that was added last says of a relation.
  mutating func addClaim(_ relation: Int, _ value: JSONTape.Node) {
    claims[relation].append(
      Claim(element: parents.count - 1, value: value, children: 0..<0, firstMember: 0))
  }

  mutating func beginChildren(of claim: Int, _ relation: Int) {
    let start = children[relation].count
    claims[relation][claim].children = start..<start
    claims[relation][claim].firstMember = members.count
  }

  mutating func addChild(
    _ key: FlatKey, of claim: Int, _ relation: Int, isFlat: Bool,
    _ given: ContiguousArray<FlatReader.Member>
  ) {
    let start = members.count
    members += given
    children[relation].append(
      Row(
        element: claims[relation][claim].element, key: key, members: start..<members.count,
        isFlat: isFlat))
    let first = claims[relation][claim].children.lowerBound
    claims[relation][claim].children = first..<children[relation].count
  }

  /// Forgets what the children give that were added last, unless they are to be inserted.
  mutating func forgetMembers(of claim: Claim) {
    guard fates[claim.element] != .new else { return }
    members.removeSubrange(claim.firstMember...)
  }

  /// Whether no row is named twice: else what is said of it would have to be merged, or it would
  /// have to move from one parent to another.
  ///
  /// - Parameter shared: Relations whose children may have several parents.
  func namesEachOnce(
    _ text: UnsafeBufferPointer<UInt8>, besides shared: Set<Int> = []
  ) -> Bool {
    func isAscending(_ rows: ContiguousArray<Row>) -> Bool {
      zip(rows, rows.dropFirst()).allSatisfy { $0.key.precedes($1.key, in: text) }
    }
    let owned = children.indices.filter { !shared.contains($0) }.map { children[$0] }
    return ([parents] + owned).allSatisfy { rows in
      isAscending(rows)
        || isAscending(ContiguousArray(rows.sorted { $0.key.precedes($1.key, in: text) }))
    }
  }

  // MARK: - What was found

  mutating func setRow(_ row: Int64?, of element: Int) { parents[element].row = row }

  mutating func setRow(_ row: Int64?, of child: Int, in relation: Int) {
    children[relation][child].row = row
  }

  mutating func setFate(_ fate: Fate, of element: Int) { fates[element] = fate }

  mutating func refuseNew() {
    for element in fates.indices where fates[element] == .new { fates[element] = .other }
  }

  /// Elements that name one of these children go the general way: others say something else of it.
  mutating func leave(_ rows: Set<Int64>, of relation: Int) {
    guard !rows.isEmpty else { return }
    for child in children[relation] {
      if let row = child.row, rows.contains(row) { fates[child.element] = .other }
    }
  }

  func elements(_ fate: Fate) -> [Int] { fates.indices.filter { fates[$0] == fate } }

  /// The new elements in the order in which they are inserted: that of their keys, in which the
  /// database has them, where nothing hangs on them.
  func newElements(_ text: UnsafeBufferPointer<UInt8>) -> [Int] {
    let new = elements(.new)
    func precedes(_ one: Int, _ other: Int) -> Bool {
      parents[one].key.precedes(parents[other].key, in: text)
    }
    guard claims.allSatisfy(\.isEmpty),
      !zip(new, new.dropFirst()).allSatisfy({ precedes($0, $1) })
    else { return new }
    return new.sorted(by: precedes)
  }

  /// The children of elements of a fate, by their places in the relation's.
  func children(_ relation: Int, of fate: Fate) -> [Int] {
    children[relation].indices.filter { fates[children[relation][$0].element] == fate }
  }

  func countRows(of fate: Fate) -> Int {
    elements(fate).count
      + children.reduce(0) { $0 + $1.count { fates[$0.element] == fate } }
  }

  /// Whether so many elements have more to be done for them that looking at them hardly paid.
  var isHopeless: Bool { fates.count { $0 == .other } * 2 > fates.count }
}

/// A key as it stands in the text.
enum FlatKey {
  case number(Int64)
  /// The bytes of a text without escapes; a payload is UTF-8.
  case text(Range<Int>)

  /// `nil` for what is no key as it stands.
  init?(_ node: JSONTape.Node, _ kind: FlatTable.KeyKind, in tape: borrowing JSONTape) {
    switch kind {
    case .number:
      guard let number = tape.integer(node) else { return nil }
      self = .number(number)
    case .text:
      guard tape.isPlain(node) else { return nil }
      let range = tape.range(of: node)
      self = .text(range.lowerBound + 1..<range.upperBound - 1)
    }
  }

  func isNumber(above other: Int64) -> Bool {
    if case .number(let number) = self { number > other } else { false }
  }

  /// Whether a column of the row on which a cursor stands holds it.
  func isHeld(
    by row: borrowing Cursor, at place: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch self {
    case .number(let number): row.integer(at: place) == number
    case .text(let range): row.holds(UnsafeBufferPointer(rebasing: text[range]), at: place)
    }
  }

  /// As SQLite has keys in an index.
  func precedes(_ other: FlatKey, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): one < other
    case (.text(let one), .text(let other)):
      text[one].lexicographicallyPrecedes(text[other])
    case (.number, .text): true
    case (.text, .number): false
    }
  }

  func stored(in text: UnsafeBufferPointer<UInt8>) -> StoredValue {
    switch self {
    case .number(let number): .integer(number)
    case .text(let range): .text(String(decoding: text[range], as: UTF8.self))
    }
  }

  /// Binds it, as the only parameter unless another one is named.
  func bind(
    to statement: borrowing Cursor, at parameter: Int = 1, _ text: UnsafeBufferPointer<UInt8>
  ) throws {
    switch self {
    case .number(let number): try statement.bind(number, at: parameter)
    case .text(let range):
      try statement.bind(UnsafeBufferPointer(rebasing: text[range]), at: parameter)
    }
  }
}
