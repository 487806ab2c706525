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

/// Notes of all objects with keys, to be looked at key by key: in parts, each with all notes of its
/// keys, which lie on the disk beyond a limit.
package final class KeyLedger {
  private var parts = [[KeyNote]](repeating: [], count: 64)
  /// What lies on the disk of each part.
  private var spools: [Spool] = []
  /// How many notes are in memory, and how many of them there are at most: some 16 MiB.
  private var held = 0
  private let limit: Int

  package init(limit: Int = 1 << 18) {
    self.limit = limit
  }

  package var isOnDisk: Bool { !spools.isEmpty }

  package func add(_ note: KeyNote) throws {
    parts[Int(note.key >> 58)].append(note)
    held += 1
    if held >= limit { try spool() }
  }

  /// Goes through the notes, all of one key at a time, in the order of kinds, members, places and
  /// bodies.
  package func forEachKey(_ body: (ArraySlice<KeyNote>) throws -> Void) throws {
    for part in parts.indices {
      var notes = try spooled(part) + parts[part]
      notes.sort { $0.isBefore($1) }
      var rest = notes[...]
      while let key = rest.first?.key {
        let end = rest.firstIndex { $0.key != key } ?? rest.endIndex
        try body(rest[..<end])
        rest = rest[end...]
      }
    }
  }

  private func spool() throws {
    if spools.isEmpty { spools = parts.map { _ in Spool(inMemory: 1 << 12) } }
    for part in parts.indices {
      try parts[part].withUnsafeBytes { bytes in
        do throws(Errno) {
          try spools[part].write(bytes)
        } catch {
          throw PayloadProblem.noRoom(reason: error.text)
        }
      }
      parts[part].removeAll(keepingCapacity: true)
    }
    held = 0
  }

  private func spooled(_ part: Int) throws -> [KeyNote] {
    guard isOnDisk else { return [] }
    var source = try SpooledPage(from: spools[part])
    let blank = KeyNote(kind: .object, key: 0, place: 0)
    let count = spools[part].count / MemoryLayout<KeyNote>.stride
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
}
