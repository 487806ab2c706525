private import SyncFiles

/// What is noted of one object of a payload that has a key, or of one of its members.
package struct KeyNote: Sendable, Equatable {
  package enum Kind: UInt32, Sendable {
    /// An object as a whole.
    case object
    /// One of its members.
    case member
    /// A plain value that may be the key of an object elsewhere.
    case name
  }

  package var kind: Kind
  /// The key's digest.
  package var key: UInt64
  /// Of a member, the digest of its name; of a plain value, the number of the member.
  package var member: UInt64 = 0
  /// The digest of the value, in which objects with keys count by these.
  package var byKey: UInt64 = 0
  /// The digest of all of the value.
  package var byContent: UInt64 = 0
  /// Of what stands in an array, the digest of the key of the nearest object around that which has
  /// one; 0 where it stands in none.
  package var parent: UInt64 = 0
  package var place: UInt32
  /// Of a plain value, the place of the objects whose key it may be.
  package var inner: UInt32 = 0
  /// The body in which it stands, of several that were fetched one after the other.
  package var body: UInt32 = 0

  /// The order in which all that is said of one thing stands together.
  fileprivate func isBefore(_ other: KeyNote) -> Bool {
    if key != other.key { return key < other.key }
    if kind != other.kind { return kind.rawValue < other.kind.rawValue }
    if member != other.member { return member < other.member }
    if place != other.place { return place < other.place }
    if body != other.body { return body < other.body }
    return (parent, byKey, byContent) < (other.parent, other.byKey, other.byContent)
  }
}

/// Notes of all objects with keys, to be looked at key by key: in memory, or beyond a limit in
/// parts on the disk, of which each has all notes of its keys.
package final class KeyLedger {
  private var notes: [KeyNote] = []
  private var parts: [Spool] = []
  private let limit: Int
  private static let partCount = 64

  /// - Parameter limit: How many notes are held in memory at most: some 16 MiB.
  package init(limit: Int = 1 << 18) {
    self.limit = limit
  }

  package var isInParts: Bool { !parts.isEmpty }

  package func add(_ note: KeyNote) throws {
    notes.append(note)
    if notes.count >= limit { try moveToParts() }
  }

  /// Goes through the notes, all of one key at a time, in the order of kinds, members, places and
  /// bodies.
  package func forEachKey(_ body: (ArraySlice<KeyNote>) throws -> Void) throws {
    guard isInParts else { return try Self.forEachKey(of: notes, body) }
    try moveToParts()
    for part in parts { try Self.forEachKey(of: try Self.notes(in: part), body) }
  }

  private static func forEachKey(
    of notes: [KeyNote], _ body: (ArraySlice<KeyNote>) throws -> Void
  ) throws {
    let sorted = notes.sorted { $0.isBefore($1) }
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count, sorted[end].key == sorted[start].key { end += 1 }
      try body(sorted[start..<end])
      start = end
    }
  }

  private func moveToParts() throws {
    if parts.isEmpty { parts = (0..<Self.partCount).map { _ in Spool(inMemory: 1 << 12) } }
    var groups = [[KeyNote]](repeating: [], count: Self.partCount)
    for note in notes { groups[Int(note.key >> 58)].append(note) }
    for (part, group) in groups.enumerated() where !group.isEmpty {
      try group.withUnsafeBytes { try Self.write($0, to: parts[part]) }
    }
    notes.removeAll(keepingCapacity: true)
  }

  private static func notes(in part: Spool) throws -> [KeyNote] {
    var source = try SpooledPage(from: part)
    let blank = KeyNote(kind: .object, key: 0, place: 0)
    let count = part.count / MemoryLayout<KeyNote>.stride
    var notes = [KeyNote](repeating: blank, count: count)
    try notes.withUnsafeMutableBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: rest))
        try PayloadProblem.orUnreadable { () throws(Errno) in
          if read == 0 { throw .inputOutput }
        }
        rest = rest.dropFirst(read)
      }
    }
    return notes
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to part: Spool) throws {
    do {
      try part.write(bytes)
    } catch {
      throw PayloadProblem.noRoom(reason: error.text)
    }
  }
}
