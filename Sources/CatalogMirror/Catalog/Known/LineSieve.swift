private import SyncSystem
import SyncText

/// Takes lines out of a catalog's body while it comes: those that are known, which needn't be read,
/// and those that hold a ``PlainEntry``, which are read at once. So no catalog has to be held whole
/// beside its entries, and only what is out of the common is left in the body.
///
/// Only where every line after the first is an entry by itself (NDJSON), which the first line
/// tells; any other body goes through whole. A last line without its newline is never taken out: it
/// says that the body may have been cut.
///
/// One user at a time, and for one body, which is hashed on the way.
final class LineSieve: @unchecked Sendable {  // one user at a time, by contract
  struct Rest: Sendable {
    /// The first line and every one that wasn't taken out; or the whole body.
    var bytes: [UInt8] = []
    var known: [KnownLine] = []
    var read = ReadLines()
    /// The positions of the entries that are left, counted from 1; empty when none was taken out.
    var positions: [UInt32] = []
    var digest: SHA256Digest
    /// What its signer says of it, where that was asked for and found good.
    var signed: SignedCatalog?
    var lacksLines: Bool { !known.isEmpty || !read.isEmpty }
  }

  // A value of which all of a piece is one change: each change of an object's own field is watched.
  private var sieving: LineSieving

  /// A sieve for one body.
  ///
  /// - Parameters:
  ///   - gate: Looks at what isn't taken out line by line.
  ///   - keys: Whoever has to have signed it; `nil` where nobody asks.
  ///   - known: Finds the known lines; asked only if they can be of use.
  ///   - opened: Is given the first line and says how those after it are read; `nil` when they
  ///     aren't entries.
  init(
    _ known: @escaping () throws -> KnownLines, gate: PieceGate = PieceGate(CatalogLimits()),
    signedBy keys: VerifyKeys? = nil, at url: String = "",
    opened: @escaping ([UInt8]) -> CatalogLines?
  ) {
    sieving = LineSieving(
      gate, signedBy: keys?.verification(of: url), find: known, opened: opened)
  }

  /// Takes the next bytes of the body.
  /// - Throws: ``CatalogError``, or what finding the known lines threw.
  func take(_ bytes: UnsafeRawBufferPointer) throws { try sieving.take(bytes) }

  /// What is left, once the body has ended.
  /// - Throws: ``CatalogError``
  func finish() throws -> Rest { try sieving.finish() }
}

/// How far a ``LineSieve`` is with its body.
struct LineSieving: ~Copyable {
  private enum Mode {
    case opening
    case sieving
    case passing
  }

  /// Of a body whose first line doesn't end within this, every line is read. That of a catalog with
  /// packs is long.
  private var longestOpening: Int { begun.starts(with: Self.header) ? 1 << 20 : 64 << 10 }

  private static let header = Array(#"{"catalog":"#.utf8)

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
  private var read = ReadLines()
  private var positions: [UInt32] = []
  private var bodyHasher = SHA256Hasher()
  private var verification: CatalogVerification?

  init(
    _ gate: PieceGate, signedBy verification: consuming CatalogVerification?,
    find: @escaping () throws -> KnownLines, opened: @escaping ([UInt8]) -> CatalogLines?
  ) {
    self.gate = gate
    self.verification = verification
    self.find = find
    self.opened = opened
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
    bodyHasher.update(bytes)
    // Before any line is read.
    try verification?.take(bytes)
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
      if mode == .opening, begun.count > longestOpening { try pass() }
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
    var signed: SignedCatalog?
    if let verification = verification.take() { signed = try verification.finish() }
    var hasher = SHA256Hasher()
    swap(&bodyHasher, &hasher)
    let lacksLines = !found.isEmpty || !read.isEmpty
    return LineSieve.Rest(
      bytes: left, known: found, read: read, positions: lacksLines ? positions : [],
      digest: hasher.finish(), signed: signed)
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
    case .read(let entry): read.append(entry, at: position)
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

private struct LineLook: ~Copyable {
  private let reader: EntryReader
  private var hasher: LineHasher
  private let most: Int
  private let tellsEntries: Bool
  /// The place of the item whose line comes next, if the catalog is sorted.
  private var next = 0

  init(_ lines: CatalogLines) {
    reader = EntryReader(lines)
    hasher = LineHasher(lines)
    (most, tellsEntries) = (lines.most, lines.tellsEntries)
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
    let digest = tellsEntries ? hasher.digest(of: line) : nil
    if let digest, let place = known.place(of: digest, guess: next) {
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

struct LineHasher: ~Copyable {
  private let context: [UInt8]
  private let base: String
  private var hasher = SHA256Hasher()

  /// To be raised whenever ``EntryReader`` comes to read a line differently: what was read by the
  /// old rules is then read anew.
  private static let rules = "2"

  /// A hasher for lines that are read like this.
  ///
  /// The query of the base may be signed anew each time and is left out; see ``tells(_:)``.
  /// Where the catalog is matters only to a catalog that is a file (see ``LocatorRules``).
  init(_ lines: CatalogLines) {
    let isFile = lines.catalog.scheme == "file"
    base = lines.base.withoutQuery.text
    let text =
      ([Self.rules, base, isFile ? lines.catalog.text : ""]
      // A line without a digest may have been read by who asked for none.
      + (lines.requiresDigests ? ["with digests"] : []))
      .joined(separator: "\n")
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    context = hasher.finish().bytes
  }

  /// The digest of a line, given without its newline.
  mutating func digest(of line: UnsafeRawBufferPointer) -> LineDigest {
    context.withUnsafeBytes { hasher.update($0) }
    hasher.update(line)
    return LineDigest(hasher.finishAndRestart())
  }

  /// Whether a line's digest tells all of its entry: not of one that is at the base itself, and so
  /// may have taken over its query (RFC 3986, section 5.2.2). A path that isn't empty takes none.
  func tells(_ entry: CatalogEntry) -> Bool {
    if entry.isWhereItsKeySays, entry.preview == nil { return true }
    let locators = entry.locators + [entry.preview?.locator].compactMap(\.self)
    return !locators.contains { $0 == base || $0.hasPrefix(base + "?") }
  }
}

/// How the lines after the first of a NDJSON catalog are read.
struct CatalogLines: Sendable {
  var catalog: URLReference
  var base: URLReference
  /// Whether the first line is an entry, and no header.
  var beginsWithEntry: Bool
  var most: Int
  /// Whether lines are hashed, to be known again and found among those that are.
  var tellsEntries = true
  /// Whether an entry without a digest can't be used.
  var requiresDigests = false
}

/// The lines of a catalog that were read while the body came.
package struct ReadLines: Sendable {
  package private(set) var entries: [ListedEntry] = []
  /// Their positions among the entries of the page, counted from 1.
  package private(set) var positions: [UInt32] = []

  package var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: ListedEntry, at position: UInt32) {
    entries.append(entry)
    positions.append(position)
    entries.packLast()
  }
}
