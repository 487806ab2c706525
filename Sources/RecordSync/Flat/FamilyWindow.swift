import SyncDatabase
import SyncText

/// The elements of a window with their children, as they stand in the text, and what has to be done
/// for each. A value: whoever has looked at the database says what was found.
struct FamilyWindow {
  /// What all rows give, one behind the other.
  private(set) var members: ContiguousArray<FlatReader.Member> = []
  private(set) var parents: ContiguousArray<Row> = []
  private(set) var fates: [Fate] = []
  /// By relation, in the order of the text.
  private(set) var children: [ContiguousArray<Row>]
  private(set) var claims: [[Claim]]

  /// What an object says of a row.
  struct Row {
    /// The element that it is, or within which it stands.
    var element: Int
    var key: FlatKey
    /// What it gives: its part of the window's members.
    var members: Range<Int>
    /// Whether it gives columns only, and each as it is.
    var isFlat: Bool
    /// Its row number, once it is known.
    var row: Int64?
  }

  /// What an element says of a relation.
  struct Claim {
    var element: Int
    /// Its part of the relation's children.
    var children: Range<Int>
  }

  /// What has to be done for an element with its children.
  enum Fate {
    /// Nothing was found yet, or all is there as it says.
    case same
    case new
    /// Something else.
    case other
  }

  /// An empty window for so many relations.
  init(relations: Int) {
    children = Array(repeating: [], count: relations)
    claims = Array(repeating: [], count: relations)
  }

  mutating func addParent(
    _ key: FlatKey, isFlat: Bool, _ given: ContiguousArray<FlatReader.Member>
  ) {
    parents.append(row(parents.count, key, isFlat, given))
    fates.append(.same)
  }

  /// A child of the element that was added last.
  mutating func addChild(
    _ key: FlatKey, in relation: Int, isFlat: Bool, _ given: ContiguousArray<FlatReader.Member>
  ) {
    children[relation].append(row(parents.count - 1, key, isFlat, given))
  }

  /// All children from this one on are what the element that was added last says of a relation.
  mutating func claim(_ relation: Int, from first: Int) {
    claims[relation].append(
      Claim(element: parents.count - 1, children: first..<children[relation].count))
  }

  private mutating func row(
    _ element: Int, _ key: FlatKey, _ isFlat: Bool, _ given: ContiguousArray<FlatReader.Member>
  ) -> Row {
    let start = members.count
    members += given
    return Row(element: element, key: key, members: start..<members.count, isFlat: isFlat)
  }

  /// Whether no row is named twice: else what is said of it would have to be merged, or it would
  /// have to move from one parent to another.
  func namesEachOnce(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    func isAscending(_ rows: ContiguousArray<Row>) -> Bool {
      zip(rows, rows.dropFirst()).allSatisfy { $0.key.precedes($1.key, in: text) }
    }
    return ([parents] + children).allSatisfy { rows in
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

  /// What was to be inserted can't be.
  mutating func refuseNew() {
    for element in fates.indices where fates[element] == .new { fates[element] = .other }
  }

  func elements(_ fate: Fate) -> [Int] { fates.indices.filter { fates[$0] == fate } }

  /// The children of elements of a fate, by their places in the relation's.
  func children(_ relation: Int, of fate: Fate) -> [Int] {
    children[relation].indices.filter { fates[children[relation][$0].element] == fate }
  }

  /// How many rows the elements of a fate name.
  func countRows(of fate: Fate) -> Int {
    elements(fate).count
      + children.reduce(0) { $0 + $1.count { fates[$0.element] == fate } }
  }

  /// Whether so many elements have more to be done for them that looking at them hardly paid.
  var isHopeless: Bool { fates.count { $0 == .other } * 2 > fates.count }
}
