import SyncDatabase

/// The rows that make elements wait until all others are written: different things were said of
/// them, further apart than a window.
struct SetAside {
  /// By the hashes of their names, each with its number; where two share one, more elements wait.
  private var numbers: [Int: Int32] = [:]
  /// Whether all elements wait, and in one window.
  private(set) var isAll = false
  private var rounds = 0

  var isNone: Bool { numbers.isEmpty && !isAll }

  var count: Int { max(numbers.count, 1) }

  /// Takes what was found as the payload was written; where that comes to no end, all waits.
  mutating func add(_ found: Set<Int>) {
    for name in found where numbers[name] == nil { numbers[name] = Int32(numbers.count) }
    rounds += 1
    isAll = rounds > Self.mostRounds
  }

  /// Elements that wait are written in several windows, of which others may be found out.
  private static let mostRounds = 8

  /// The numbers of the rows for which an element waits that says this; none if it doesn't wait.
  func rows(of draft: Draft, _ schema: RecordSchema, _ identities: [KeyIdentity]) -> [Int32] {
    guard !isAll else { return [0] }
    var rows: [Int32] = []
    for row in draft.rows {
      if let identity = row.identity, let number = number(of: identity, in: row.table) {
        rows.append(number)
      }
      for claim in row.claims {
        let table = schema.tables[row.table].relations[claim.relation].kind.table
        for case .key(let key) in claim.members {
          let identity = identities[table].identity(of: RecordKey([key]))
          if let number = number(of: identity, in: table) { rows.append(number) }
        }
      }
    }
    return rows
  }

  private func number(of identity: RecordKey, in table: Int) -> Int32? {
    numbers[RowName(table: table, identity: identity).hashValue]
  }
}

/// The elements that wait, in a temporary table. Of their texts no more is held than a window of
/// them; but those that have a row in common for which they wait stand in one window, however many
/// they are.
struct KeptElements {
  private struct Element {
    var number: Int
    var count: Int
    /// One of the rows for which it waits; once all are there, the first element of its group.
    var group: Int32
  }

  private let connection: Connection
  private var elements: [Element] = []
  /// By rows: another one that stands in an element with it, or itself.
  private var joined: [Int32]

  init(of aside: SetAside, on connection: Connection) throws {
    self.connection = connection
    joined = (0..<Int32(aside.count)).map { $0 }
    try Self.takingRoom {
      try connection.execute(
        "CREATE TEMP TABLE recordsync_aside (number INTEGER PRIMARY KEY, text BLOB)")
    }
  }

  /// Keeps an element. They come in the order of the payload.
  mutating func keep(_ text: ArraySlice<UInt8>, number: Int, for rows: [Int32]) throws {
    guard let first = rows.first else { return }
    try Self.takingRoom {
      try connection.run(
        "INSERT INTO temp.recordsync_aside VALUES (?, ?)",
        values: [.integer(Int64(number)), .blob(Array(text))])
    }
    elements.append(Element(number: number, count: text.count, group: first))
    for row in rows.dropFirst() {
      let (one, other) = (root(of: first), root(of: row))
      joined[Int(max(one, other))] = min(one, other)
    }
  }

  private mutating func root(of row: Int32) -> Int32 {
    var row = row
    while joined[Int(row)] != row {
      joined[Int(row)] = joined[Int(joined[Int(row)])]
      row = joined[Int(row)]
    }
    return row
  }

  /// Gives the elements back, in windows of about so many bytes, and makes the table go.
  ///
  /// - Parameter body: Called with each window, and with its elements' places in the payload.
  mutating func forEachWindow(
    of bytes: Int, _ body: (_ window: PayloadWindow, _ numbers: [Int]) throws -> Void
  ) throws {
    group()
    var rest = elements[...]
    elements = []
    var window = PayloadWindow()
    while let first = rest.first {
      var (end, count, group) = (rest.startIndex, 0, first.group)
      while end < rest.endIndex, rest[end].group == group || count < bytes {
        group = rest[end].group
        count += rest[end].count + 1
        end += 1
      }
      let part = rest[..<end].sorted { $0.number < $1.number }
      rest = rest[end...]
      try read(part, bytes: count, into: &window)
      try body(window, part.map(\.number))
    }
    try connection.run("DROP TABLE temp.recordsync_aside")
  }

  private mutating func group() {
    var first: [Int32: Int32] = [:]
    for index in elements.indices {
      let root = root(of: elements[index].group)
      let start = first[root] ?? Int32(index)
      first[root] = start
      elements[index].group = start
    }
    joined = []
    elements.sort { ($0.group, $0.number) < ($1.group, $1.number) }
  }

  private func read(
    _ part: [Element], bytes: Int, into window: inout PayloadWindow
  ) throws {
    window.clear()
    var all: [UInt8] = []
    all.reserveCapacity(bytes)
    try connection.withCursor("SELECT text FROM temp.recordsync_aside WHERE number = ?") { cursor in
      for element in part {
        try Task.checkCancellation()
        try cursor.bind(Int64(element.number), at: 1)
        guard try cursor.step(), let text = cursor.blob(at: 0) else {
          throw PayloadProblem.unreadable(reason: "an element that was kept is gone")
        }
        all += text
        all.append(UInt8(ascii: ","))
        cursor.reset()
      }
    }
    var text = PayloadText(bytes: all, offset: 0, isLast: true)
    window.begin(text, first: 1)
    for _ in part {
      try Task.checkCancellation()
      guard let root = try text.read(onto: &window.tape) else {
        throw PayloadProblem.unreadable(reason: "an element that was kept is cut off")
      }
      window.elements.append(root)
      text.position += 1
    }
  }

  /// What has no room there doesn't lack it on the disk of the database.
  private static func takingRoom(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.code == .full {
      throw PayloadProblem.noRoom(reason: error.message)
    }
  }
}
