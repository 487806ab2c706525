private import SyncFiles

/// What is noted of one object of a payload that has a key, or of one of its members.
struct KeyNote: Sendable, Equatable {
  enum Kind: UInt32, Sendable {
    /// An object as a whole, one of its members, or a plain value that may be the key of an object
    /// elsewhere.
    case object, member, name
  }

  var kind: Kind
  /// The key's digest.
  var key: UInt64
  /// Of a member, the digest of its name; of a plain value, the number of the member.
  var member: UInt64 = 0
  /// The digests of the value: of one in which objects with keys count by these, and of all of it.
  var byKey: UInt64 = 0
  var byContent: UInt64 = 0
  /// Of what stands in an array, the digest of the key of the nearest object around that which has
  /// one; 0 where it stands in none.
  var parent: UInt64 = 0
  /// Where the object stands; of a plain value, the objects whose key it may be.
  var place: UInt32
  /// The body in which it stands, of several that were fetched one after the other.
  var body: UInt32 = 0

  /// The order in which all that is said of one thing stands together.
  fileprivate func isBefore(_ other: KeyNote) -> Bool {
    (key, kind.rawValue, member) < (other.key, other.kind.rawValue, other.member)
  }
}

/// Notes of all objects with keys, to be looked at key by key: in parts, each with all notes of its
/// keys, which lie on the disk beyond a limit.
final class KeyLedger {
  private var parts = [[KeyNote]](repeating: [], count: 64)
  /// What lies on the disk of each part.
  private var spools: [Spool] = []
  /// How many notes are in memory, and how many of them there are at most: some 16 MiB.
  private var held = 0
  private let limit: Int

  init(limit: Int = 1 << 18) { self.limit = limit }

  var isOnDisk: Bool { !spools.isEmpty }

  func add(_ note: KeyNote) throws {
    parts[Int(note.key >> 58)].append(note)
    held += 1
    if held >= limit { try spool() }
  }

  /// Goes through the notes, all of one key at a time, in the order of kinds and members.
  func forEachKey(_ body: (ArraySlice<KeyNote>) throws -> Void) throws {
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
    let (spool, blank) = (spools[part], KeyNote(kind: .object, key: 0, place: 0))
    let count = spool.count / MemoryLayout<KeyNote>.stride
    var notes = [KeyNote](repeating: blank, count: count)
    try notes.withUnsafeMutableBytes { bytes in
      try PayloadProblem.orUnreadable { () throws(Errno) in
        try spool.rewind()
        var place = 0
        while place < bytes.count {
          let read = try spool.read(from: place, into: .init(rebasing: bytes[place...]))
          guard read > 0 else { throw .inputOutput }
          place += read
        }
      }
    }
    return notes
  }
}
