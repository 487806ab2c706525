import SyncDatabase

/// A row, as its table tells keys apart.
struct RowName: Hashable {
  var table: Int
  var identity: RecordKey
}

/// What a pass has written, to notice where parts of the payload that are further apart than a
/// window say different things of one row. The last word has to be the same each time, and what
/// comes of a payload must not depend on where windows end: such rows are then written once more,
/// with all elements that name them in one window.
struct Entanglement {
  /// The windows in which rows were written, and what rows claimed last, by digests.
  private var written: [UInt64: UInt32] = [:]
  private var claimed: [UInt64: Int] = [:]
  /// Rows of which different things were said.
  private(set) var rows: Set<RowName> = []
  /// How many windows were begun.
  private var window: UInt32 = 0
  /// Whether all windows were read: what is written then had to wait.
  var isEnding = false

  mutating func beginWindow() { window += 1 }

  /// Notes that a row is inserted.
  mutating func insert(_ address: [StoredValue], in table: Int) {
    if !isEnding { written[Self.digest(address, table)] = window }
  }

  /// Notes that a row is changed.
  mutating func update(
    _ address: [StoredValue], in table: Int, _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding else { return }
    let earlier = written.updateValue(window, forKey: Self.digest(address, table))
    if let earlier, earlier != window { rows.insert(name()) }
  }

  /// Notes a row of which different things were said.
  mutating func note(_ name: RowName) { rows.insert(name) }

  /// Notes what a row says of those that hang on it; `nil` where that isn't known.
  mutating func claim(
    _ address: [StoredValue], in table: Int, _ claims: Int?,
    _ name: @autoclosure () -> RowName
  ) {
    guard !isEnding else { return }
    let earlier = claimed.updateValue(claims ?? 0, forKey: Self.digest(address, table))
    if let earlier, let claims, earlier != claims { rows.insert(name()) }
  }

  private static func digest(_ address: [StoredValue], _ table: Int) -> UInt64 {
    if address.count == 1, case .integer(let number) = address[0] {
      return UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(table)
    }
    var hasher = Hasher()
    hasher.combine(table)
    hasher.combine(address)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

/// Elements that are kept until all others are written, and written in one window then.
struct SetAside {
  /// The rows that make an element wait. Not empty where any do.
  private(set) var rows: Set<RowName> = []
  /// Whether all elements wait.
  private(set) var isAll = false
  private var rounds = 0
  private var text: [UInt8] = []
  /// The elements' places in the payload.
  private(set) var numbers: [Int] = []

  /// Whether no element waits.
  var isNone: Bool { rows.isEmpty && !isAll }

  /// Takes what was found as the payload was written; where that comes to no end, all waits.
  mutating func add(_ found: Set<RowName>) {
    rows.formUnion(found)
    rounds += 1
    isAll = rounds > 4
  }

  /// Whether an element waits of which these are the rows.
  func holds(_ draft: Draft, _ schema: RecordSchema, _ identities: [KeyIdentity]) -> Bool {
    isAll
      || draft.rows.contains { row in
        row.identity.map { rows.contains(RowName(table: row.table, identity: $0)) } ?? false
          || row.claims.contains { claim in
            let table = schema.tables[row.table].relations[claim.relation].kind.table
            return claim.members.contains { member in
              guard case .key(let key) = member else { return false }
              let identity = identities[table].identity(of: RecordKey([key]))
              return rows.contains(RowName(table: table, identity: identity))
            }
          }
      }
  }

  mutating func keep(_ element: ArraySlice<UInt8>, number: Int) {
    text.append(UInt8(ascii: numbers.isEmpty ? "[" : ","))
    text += element
    numbers.append(number)
  }

  /// The elements that wait, in one window.
  func window() throws -> PayloadWindow? {
    guard !numbers.isEmpty else { return nil }
    var bounds = PayloadBounds()
    (bounds.window, bounds.nodes, bounds.whole) = (.max, .max, .max)
    var reader = PayloadReader(text + [UInt8(ascii: "]")], bounds: bounds)
    var window = PayloadWindow()
    return try reader.next(&window) ? window : nil
  }
}

/// Different things were said of rows in several windows, so that these are to be set aside.
struct Entangled: Error {
  var rows: Set<RowName>
}

extension RecordPass {
  /// The name of a row.
  func name(of row: DraftRow, _ key: RecordKey) -> RowName {
    let identity = row.identity ?? KeyIdentity(schema.tables[row.table]).identity(of: key)
    return RowName(table: row.table, identity: identity)
  }

  /// Notes children that were named by their keys alone, wait for their rows, and have these now:
  /// the last parent that names them is to have them.
  func noteKeys(of earlier: WindowRows, in draft: Draft) {
    for place in earlier.waiting {
      let row = earlier.draft.rows[place]
      for claim in row.claims {
        let kind = schema.tables[row.table].relations[claim.relation].kind
        guard kind.childLink != nil else { continue }
        for case .key(let key) in claim.members {
          let identity = KeyIdentity(schema.tables[kind.table]).identity(of: RecordKey([key]))
          guard draft.place(of: identity, in: kind.table) != nil else { continue }
          entanglement.note(RowName(table: kind.table, identity: identity))
        }
      }
    }
  }

  /// Notes what a row says of those that hang on it.
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
      let identities = KeyIdentity(schema.tables[kind.table])
      for member in claim.members {
        switch member {
        case .row(let child): hasher.combine(window.draft.rows[child].identity)
        case .key(let key): hasher.combine(identities.identity(of: RecordKey([key])))
        }
      }
    }
    guard count > 0 else { return }
    entanglement.claim(
      found.address, in: row.table, hasher.finalize(),
      RowName(table: row.table, identity: identity))
  }
}
