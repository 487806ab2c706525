/// The rows of one table that were inserted, and where the payload names each.
struct InsertedRows {
  typealias Moment = ReportBuilder.Moment

  /// All but the last, in the order in which they were inserted.
  private var keys = RecordKeys()
  private var moments = Moments()
  /// The last, of which some may be taken back.
  private var last: [(key: RecordKey, moment: Moment)] = []
  /// How often a key among ``keys`` was taken back.
  private var takenBack: [RecordKey: Int] = [:]
  /// Where rows are named that were inserted for a later element already.
  private var named: [RecordKey: Moment] = [:]
  /// The keys, once somebody has asked for one.
  private var all: Set<RecordKey>?

  /// So many are held as they are; twice as many at most.
  private static let mostLast = 4_096

  mutating func insert(_ key: RecordKey, at moment: Moment) {
    last.append((key, moment))
    all?.insert(key)
    guard last.count >= Self.mostLast * 2 else { return }
    for row in last.prefix(Self.mostLast) {
      keys.append(row.key)
      moments.append(row.moment)
    }
    last.removeFirst(Self.mostLast)
  }

  var count: Int { keys.count + last.count - takenBack.values.reduce(0, +) }

  mutating func contains(_ key: RecordKey) -> Bool {
    guard !keys.isEmpty || !last.isEmpty else { return false }
    if all == nil { all = Set(rows.lazy.map(\.key)) }
    return all?.contains(key) ?? false
  }

  /// The row is named by an element that is written later than it stands in the payload.
  mutating func name(_ key: RecordKey, at moment: Moment) {
    guard contains(key) else { return }
    named[key] = min(named[key] ?? moment, moment)
  }

  mutating func takeBack(_ key: RecordKey) {
    guard contains(key) else { return }
    all?.remove(key)
    if let place = last.lastIndex(where: { $0.key == key }) {
      last.remove(at: place)
    } else {
      takenBack[key, default: 0] += 1
    }
  }

  /// The keys in the order in which the payload names them first.
  var inOrder: RecordKeys {
    let recent = [moments.last].compactMap { $0 } + last.map(\.moment)
    guard moments.isAscending, takenBack.isEmpty, named.isEmpty,
      zip(recent, recent.dropFirst()).allSatisfy({ $0 <= $1 })
    else {
      let rows = rows.map { (key: $0.key, moment: min($0.moment, named[$0.key] ?? $0.moment)) }
      return RecordKeys(ReportBuilder.inOrder(rows, by: \.moment).lazy.map(\.key))
    }
    var keys = keys
    for row in last { keys.append(row.key) }
    return keys
  }

  private var rows: [(key: RecordKey, moment: Moment)] {
    var (rows, takenBack) = ([(key: RecordKey, moment: Moment)](), takenBack)
    rows.reserveCapacity(keys.count + last.count)
    moments.forEach { place, moment in
      let key = keys[place]
      if let count = takenBack[key], count > 0 {
        takenBack[key] = count - 1
      } else {
        rows.append((key, moment))
      }
    }
    return rows + last
  }
}

/// Moments one after the other, each by how far it is from the one before: two or three bytes each.
private struct Moments {
  /// In parts, so that no part is ever copied to grow.
  private var parts: [[UInt8]] = []
  private(set) var last: ReportBuilder.Moment?
  private(set) var isAscending = true

  private static let partSize = 1 << 16

  mutating func append(_ moment: ReportBuilder.Moment) {
    if let last, moment < last { isAscending = false }
    if (parts.last?.count ?? .max) > Self.partSize - 2 * 10 {
      parts.append([])
      parts[parts.count - 1].reserveCapacity(Self.partSize)
    }
    let before = last ?? ReportBuilder.Moment(element: 0, row: 0)
    add(Int64(moment.element) - Int64(before.element))
    add(Int64(moment.row) - Int64(before.row))
    last = moment
  }

  /// By seven bits a byte, the lowest first; the sign in the lowest.
  private mutating func add(_ difference: Int64) {
    var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
    while rest >= 0x80 {
      parts[parts.count - 1].append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    parts[parts.count - 1].append(UInt8(rest))
  }

  func forEach(_ body: (Int, ReportBuilder.Moment) -> Void) {
    var (element, row, place) = (Int64(0), Int64(0), 0)
    for part in parts {
      var rest = part[...]
      while !rest.isEmpty {
        element += Self.take(&rest)
        row += Self.take(&rest)
        body(place, ReportBuilder.Moment(element: Int(element), row: Int(row)))
        place += 1
      }
    }
  }

  private static func take(_ bytes: inout ArraySlice<UInt8>) -> Int64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while let byte = bytes.popFirst() {
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
