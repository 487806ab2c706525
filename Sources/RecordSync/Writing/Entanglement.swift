import SyncDatabase

struct RowName: Hashable {
  var table: Int
  var identity: RecordKey
}

/// What a pass has written, to notice where parts of the payload that are further apart than a
/// window say different things of one row. The last word has to be the same each time, and what
/// comes of a payload must not depend on where windows end: such rows are then written once more,
/// with all elements that name them in one window.
struct Entanglement {
  /// The rows that were written, and those whose claims weren't looked at.
  private var written = RowWindows()
  private var unknown = RowWindows()
  /// Children that hung already on the parent that names them, and rows of which their own objects
  /// changed where they hang.
  private var adopted = RowWindows()
  private var hung = RowWindows()
  /// The tables whose children are also named elsewhere than under one kind of parent.
  private let standsApart: Set<Int>
  /// Where each row was met first; `nil` where no element waits.
  private var met: RowWindows?
  /// What rows claimed last, by digests.
  private var claimed: [UInt64: Int] = [:]
  /// Rows of which different things were said, by the hashes of their names.
  private(set) var rows: Set<Int> = []
  private var window: UInt32 = 0
  /// Whether elements are written that had to wait: others were, which stand behind them.
  var isWritingAside = false
  /// Whether all windows were read: what is written then had to wait.
  var isEnding = false

  /// - Parameters:
  ///   - standsApart: The tables whose children are also named elsewhere.
  ///   - hasAside: Whether elements wait. Default `false`.
  init(standsApart: Set<Int>, hasAside: Bool = false) {
    self.standsApart = standsApart
    met = hasAside ? RowWindows() : nil
  }

  mutating func beginWindow() { window += 1 }

  mutating func insert(_ address: [StoredValue], in table: Int) {
    if !isEnding { written.insert(address, in: table, at: window) }
  }

  /// Notes that a row is changed.
  ///
  /// - Parameter hangs: Whether its own object changes where it hangs. Default `false`.
  mutating func update(
    _ address: [StoredValue], in table: Int, hangs: Bool = false,
    _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding else { return }
    var earlier = [written.insert(address, in: table, at: window)]
    if isWritingAside { earlier.append(met?.window(of: address, in: table)) }
    if hangs, standsApart.contains(table) {
      earlier.append(adopted.window(of: address, in: table))
      hung.insert(address, in: table, at: window)
    }
    if earlier.contains(where: { $0 != nil && $0 != window }) { note(name()) }
  }

  mutating func meet(_ address: [StoredValue], in table: Int) {
    // Not bound to a name: all of it would be copied to be changed.
    if met?.window(of: address, in: table) == nil { met?.insert(address, in: table, at: window) }
  }

  mutating func adopt(
    _ address: [StoredValue], in table: Int, _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding, standsApart.contains(table) else { return }
    if let earlier = hung.window(of: address, in: table), earlier != window { note(name()) }
    guard written.window(of: address, in: table) != window else { return }
    adopted.insert(address, in: table, at: window)
  }

  /// Notes a row with a reference that leads nowhere yet.
  ///
  /// - Parameters:
  ///   - hangs: Whether it says where the row hangs.
  ///   - isKnown: Whether an earlier window waits for it as well.
  mutating func wait(
    _ address: [StoredValue], in table: Int, hangs: Bool, unless isKnown: @autoclosure () -> Bool,
    _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding else { return }
    var earlier = [written.window(of: address, in: table)]
    if hangs { earlier.append(adopted.window(of: address, in: table)) }
    guard earlier.contains(where: { $0 != nil && $0 != window }), !isKnown() else { return }
    note(name())
  }

  mutating func note(_ name: RowName) { rows.insert(name.hashValue) }

  /// Notes what a row says of those that hang on it; `nil` where that isn't known.
  mutating func claim(
    _ address: [StoredValue], in table: Int, _ claims: Int?,
    _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding else { return }
    let digest = RowWindows.digest(address, table)
    if claims == nil, claimed[digest] == nil {
      unknown.insert(address, in: table, at: window)
      return
    }
    var earlier = claimed.updateValue(claims ?? 0, forKey: digest)
    if earlier == nil, unknown.window(of: address, in: table) != nil { earlier = 0 }
    if let earlier, let claims, earlier != claims { note(name()) }
  }
}

extension RecordSchema {
  /// The tables whose children are also named elsewhere than under one kind of parent.
  ///
  /// - Parameter top: The table at the top of the payload, if there is one.
  func standingApart(under top: Int?) -> Set<Int> {
    var ways: [Int: Int] = [:]
    for table in tables.flatMap({ $0.relations.map(\.kind.table) }) + (top.map { [$0] } ?? []) {
      ways[root(of: table), default: 0] += 1
    }
    return Set(tables.indices.filter { ways[root(of: $0), default: 0] > 1 })
  }

  /// The table that this one extends, or whose extension it extends.
  private func root(of table: Int) -> Int {
    var root = table
    while let base = tables[root].base { root = base }
    return root
  }

  /// By table: the columns by which its rows hang on others that list them.
  func childLinks() -> [Set<Int>] {
    var links = [Set<Int>](repeating: [], count: tables.count)
    for kind in tables.flatMap({ $0.relations.map(\.kind) }) {
      if let link = kind.childLink { links[kind.table].insert(link.column) }
    }
    return links
  }
}
