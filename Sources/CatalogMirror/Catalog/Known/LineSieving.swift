private import SyncSystem
import SyncText

/// How far a ``LineSieve`` is with its body.
struct LineSieving: ~Copyable {
  private enum Mode {
    case opening
    case sieving
    case passing
  }

  /// Of a body whose first line doesn't end within this, every line is read.
  private static let longestOpening = 64 << 10

  private let find: () throws -> KnownLines
  private let opened: ([UInt8]) -> CatalogLines?
  private var known = KnownLines.none
  private var mode = Mode.opening
  private var gate: PieceGate
  private var look: LineLook?
  /// The beginning of a line that hasn't come whole.
  private var begun: [UInt8] = []
  private var position: UInt32 = 0
  private var left: [UInt8] = []
  private var found: [KnownLine] = []
  private var read: [ReadLine] = []
  private var positions: [UInt32] = []
  private var bodyHasher = SHA256Hasher()

  init(
    _ gate: PieceGate, find: @escaping () throws -> KnownLines,
    opened: @escaping ([UInt8]) -> CatalogLines?
  ) {
    self.gate = gate
    self.find = find
    self.opened = opened
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
    bodyHasher.update(bytes)
    var bytes = bytes[...]
    while mode != .passing, let end = bytes.firstNewline {
      let line = bytes[..<end]
      bytes = bytes[(end + 1)...]
      if begun.isEmpty {
        try take(line: UnsafeRawBufferPointer(rebasing: line))
      } else {
        begun += line
        let whole = begun
        begun.removeAll(keepingCapacity: true)
        try whole.withUnsafeBytes { try take(line: $0) }
      }
    }
    if mode == .passing {
      try gate.take(UnsafeRawBufferPointer(rebasing: bytes))
      left += bytes
    } else {
      begun += bytes
      if mode == .opening, begun.count > Self.longestOpening { try pass() }
      if mode == .sieving { try gate.check(line: begun.count) }
    }
  }

  mutating func finish() throws -> LineSieve.Rest {
    if mode == .sieving {
      if !begun.isEmpty { positions.append(position + 1) }
      left += begun
    } else {
      try pass()
    }
    var hasher = SHA256Hasher()
    swap(&bodyHasher, &hasher)
    let lacksLines = !found.isEmpty || !read.isEmpty
    return LineSieve.Rest(
      bytes: left, known: found, read: read, positions: lacksLines ? positions : [],
      digest: hasher.finish())
  }

  private mutating func pass() throws {
    let text = begun
    try text.withUnsafeBytes { try gate.take($0) }
    left += text
    begun = []
    mode = .passing
  }

  private mutating func take(line: UnsafeRawBufferPointer) throws {
    guard !line.allSatisfy(JSONValue.isBlank) else { return try keep(line) }
    guard mode == .sieving else { return try open(line) }
    try gate.check(line: line.count)
    position += 1
    switch look?.finding(in: line, position, known) {
    case .known(let place): found.append(KnownLine(place: UInt32(place), position: position))
    case .read(let entry): read.append(ReadLine(entry: entry, position: position))
    case nil:
      positions.append(position)
      try keep(line)
    }
  }

  private mutating func open(_ line: UnsafeRawBufferPointer) throws {
    try keep(line)
    guard let lines = opened(Array(line)) else { return try pass() }
    known = try find()
    look = LineLook(lines)
    mode = .sieving
    guard lines.beginsWithEntry else { return }
    position = 1
    positions = [1]
  }

  private mutating func keep(_ line: UnsafeRawBufferPointer) throws {
    let place = left.count
    left += line
    left.append(UInt8(ascii: "\n"))
    if mode == .opening { try left[place...].withUnsafeBytes { try gate.take($0) } }
  }
}

/// What is to be done with lines.
private struct LineLook: ~Copyable {
  private let reader: EntryReader
  private var hasher: LineHasher
  private let most: Int
  /// The place of the item whose line comes next, if the catalog is sorted.
  private var next = 0

  init(_ lines: CatalogLines) {
    reader = EntryReader(base: lines.base, catalog: lines.catalog)
    hasher = LineHasher(lines)
    most = lines.most
  }

  enum Finding {
    /// It is the one of the item at this place.
    case known(Int)
    case read(ListedEntry)
  }

  /// `nil` for a line that is to be left; all are that are more than may be.
  mutating func finding(
    in line: UnsafeRawBufferPointer, _ position: UInt32, _ known: KnownLines
  ) -> Finding? {
    let digest = hasher.digest(of: line)
    if let place = known.place(of: digest, guess: next) {
      next = place + 1
      return .known(place)
    }
    guard position <= most, var entry = reader.plainEntry(line: line) else { return nil }
    let isSettled = entry.version != .unknown
    if isSettled, hasher.tells(entry) { entry.line = digest }
    return .read(.entry(entry, settled: isSettled))
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var firstNewline: Int? {
    guard let start = base.baseAddress, !isEmpty,
      let found = memchr(start + startIndex, Int32(UInt8(ascii: "\n")), count)
    else { return nil }
    return start.distance(to: found)
  }
}
