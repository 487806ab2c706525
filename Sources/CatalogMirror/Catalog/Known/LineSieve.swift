import SyncText

/// Takes the lines that are known out of a catalog's body while it comes, so that only the others
/// have to be held and read.
///
/// Only where every line after the first is an entry by itself (NDJSON), which the first line
/// tells; any other body goes through whole. A last line without its newline is never taken out: it
/// says that the body may have been cut.
///
/// One user at a time, and for one body, which is hashed on the way.
final class LineSieve: @unchecked Sendable {  // one user at a time, by contract
  /// What is left of a body.
  struct Rest: Sendable, Hashable {
    /// The first line and every one that isn't known; or the whole body.
    var bytes: [UInt8] = []
    /// The lines that were taken out.
    var known: [KnownLine] = []
    /// The positions of the entries that are left, counted from 1; empty when none was taken out.
    var positions: [UInt32] = []
    /// The digest of the whole body.
    var digest: SHA256Digest
  }

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
  private var hasher: LineHasher?
  /// The beginning of a line that hasn't come whole.
  private var begun: [UInt8] = []
  private var position: UInt32 = 0
  private var left: [UInt8] = []
  private var found: [KnownLine] = []
  private var positions: [UInt32] = []
  private var bodyHasher = SHA256Hasher()

  /// A sieve for one body.
  ///
  /// - Parameters:
  ///   - known: Finds the known lines; asked only if they can be of use.
  ///   - opened: Is given the first line and says how those after it are read; `nil` when they
  ///     aren't entries.
  init(
    _ known: @escaping () throws -> KnownLines, opened: @escaping ([UInt8]) -> CatalogLines?
  ) {
    find = known
    self.opened = opened
  }

  /// Takes the next bytes of the body.
  /// - Throws: what finding the known lines threw.
  func take(_ bytes: UnsafeRawBufferPointer) throws {
    bodyHasher.update(bytes)
    var bytes = bytes[...]
    while mode != .passing, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
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
      left += bytes
    } else {
      begun += bytes
      if mode == .opening, begun.count > Self.longestOpening { pass() }
    }
  }

  /// What is left, once the body has ended.
  func finish() -> Rest {
    if !begun.isEmpty {
      if mode == .sieving { positions.append(position + 1) }
      pass()
    }
    var hasher = SHA256Hasher()
    swap(&bodyHasher, &hasher)
    return Rest(
      bytes: left, known: found, positions: found.isEmpty ? [] : positions,
      digest: hasher.finish())
  }

  private func pass() {
    left += begun
    begun = []
    mode = .passing
  }

  private func take(line: UnsafeRawBufferPointer) throws {
    guard !line.allSatisfy(JSONValue.isBlank) else { return keep(line) }
    guard mode == .sieving else { return try open(line) }
    position += 1
    if let line = hasher?.digest(of: line), let place = known.place(of: line) {
      found.append(KnownLine(place: UInt32(place), position: position))
    } else {
      positions.append(position)
      keep(line)
    }
  }

  private func open(_ line: UnsafeRawBufferPointer) throws {
    keep(line)
    guard let lines = opened(Array(line)) else { return pass() }
    known = try find()
    guard !known.isEmpty else { return pass() }
    hasher = LineHasher(lines)
    mode = .sieving
    guard lines.beginsWithEntry else { return }
    position = 1
    positions = [1]
  }

  private func keep(_ line: UnsafeRawBufferPointer) {
    left += line
    left.append(UInt8(ascii: "\n"))
  }
}

/// How the lines after the first of a NDJSON catalog are read.
struct CatalogLines: Sendable {
  /// Where the body came from.
  var catalog: URLReference
  /// What relative URLs start from.
  var base: URLReference
  /// Whether the first line is an entry, and no header.
  var beginsWithEntry: Bool
}
