import SyncText

/// Entries that lie where their keys say in one directory, packed one behind the other: each takes
/// about half as many bytes as by itself, where it has a header, its key another one, and there is
/// room for what it lacks. They are unpacked when they are looked at.
final class EntryBlock: Sendable {
  private let directory: EntryPlace.Directory
  private let bytes: [UInt8]

  static let nothing = EntryBlock(EntryPlace.Directory(""), [])

  private init(_ directory: EntryPlace.Directory, _ bytes: [UInt8]) {
    (self.directory, self.bytes) = (directory, bytes)
  }

  /// The bytes of an entry's key where they lie.
  func key(at place: UInt32) -> ArraySlice<UInt8> {
    bytes[bytes.withUnsafeBytes { Self.key(at: place, in: $0) }]
  }

  /// The same, for who only looks at them.
  func withKey<Result>(at place: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      body(UnsafeRawBufferPointer(rebasing: bytes[Self.key(at: place, in: bytes)]))
    }
  }

  private static func key(at place: UInt32, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
    let head = bytes.loadUnaligned(fromByteOffset: Int(place), as: Head.self)
    let start = Int(place) + head.keyStart
    return start..<start + Int(head.keyCount)
  }

  /// The size of an entry, and the rounded one.
  func sizes(at place: UInt32) -> (exact: Int64?, estimate: Int64?) {
    bytes.withUnsafeBytes { bytes in
      var rest = UnsafeRawBufferPointer(rebasing: bytes[Int(place)...])
      return Self.sizes(of: rest.take(Head.self), &rest)
    }
  }

  private static func sizes(
    of head: Head, _ rest: inout UnsafeRawBufferPointer
  ) -> (exact: Int64?, estimate: Int64?) {
    let exact =
      head.has(.shortSize)
      ? Int64(rest.take(UInt32.self))
      : head.has(.size) ? rest.take(Int64.self) : nil
    return (exact, head.has(.estimate) ? rest.take(Int64.self) : nil)
  }

  /// Where an entry's bytes lie in a pack.
  func pack(at place: UInt32) -> PackPlace? {
    bytes.withUnsafeBytes { bytes in
      let head = bytes.loadUnaligned(fromByteOffset: Int(place), as: Head.self)
      guard head.has(.pack) else { return nil }
      let end = Int(place) + head.keyStart - Int(head.dateCount)
      return bytes.loadUnaligned(
        fromByteOffset: end - MemoryLayout<PackPlace>.size, as: PackPlace.self)
    }
  }

  /// All that is known of an entry.
  func facts(at place: UInt32) -> EntryFacts {
    let key = CatalogKey(bytes: Array(key(at: place)))
    return bytes.withUnsafeBytes { bytes in
      var rest = UnsafeRawBufferPointer(rebasing: bytes[Int(place)...])
      let head = rest.take(Head.self)
      let (size, estimate) = Self.sizes(of: head, &rest)
      let modified =
        head.has(.wholeSeconds)
        ? Double(rest.take(UInt32.self))
        : head.has(.modified) ? rest.take(Double.self) : nil
      let line = head.has(.line) ? rest.take(LineDigest.self) : nil
      let digest = head.has(.digest) ? rest.take(SHA256Digest.self) : nil
      let pack = head.has(.pack) ? rest.take(PackPlace.self) : nil
      var version = digest.map(ItemVersion.digest) ?? .unknown
      if head.has(.dateOrSize) {
        let date = String(decoding: rest[..<Int(head.dateCount)], as: UTF8.self)
        version = .dateAndSize(
          date: head.has(.date) ? date : nil, size: head.has(.versionSize) ? size : nil)
      }
      var facts = EntryFacts(key: key, place: .own(directory), version: version)
      (facts.size, facts.modified, facts.line) = (size, modified, line)
      if head.has(.isProven) { facts.sha256 = digest }
      facts.pack = pack
      if let estimate { facts.more.estimatedSize = estimate }
      return facts
    }
  }

  /// What an entry begins with: which fields follow, in the order of their names here, and how long
  /// the text of its date and its key are, which come last.
  private struct Head {
    struct Fields: OptionSet {
      let rawValue: UInt16

      static let size = Fields(rawValue: 1)
      static let estimate = Fields(rawValue: 2)
      static let modified = Fields(rawValue: 4)
      static let line = Fields(rawValue: 8)
      /// The digest of the bytes, as a version, and whether it is known to be one.
      static let digest = Fields(rawValue: 16)
      static let isProven = Fields(rawValue: 32)
      /// The version is a date or the size or both.
      static let dateOrSize = Fields(rawValue: 64)
      static let date = Fields(rawValue: 128)
      static let versionSize = Fields(rawValue: 256)
      /// In place of `size` and `modified`: numbers of four bytes, as most are.
      static let shortSize = Fields(rawValue: 512)
      static let wholeSeconds = Fields(rawValue: 1024)
      static let pack = Fields(rawValue: 2048)
    }

    var fields: Fields = []
    var keyCount: UInt16
    var dateCount: UInt8 = 0

    func has(_ field: Fields) -> Bool { fields.contains(field) }

    var keyStart: Int {
      MemoryLayout<Head>.size + (has(.size) ? 8 : 0) + (has(.shortSize) ? 4 : 0)
        + (has(.estimate) ? 8 : 0) + (has(.modified) ? 8 : 0) + (has(.wholeSeconds) ? 4 : 0)
        + (has(.line) ? 16 : 0) + (has(.digest) ? 32 : 0) + (has(.pack) ? 8 : 0)
        + Int(dateCount)
    }
  }

  /// Packs entries of a directory.
  struct Writer {
    let directory: EntryPlace.Directory
    private var bytes: [UInt8] = []

    init(_ directory: EntryPlace.Directory) { self.directory = directory }

    /// The block of all that was added, with no room for more; `nil` for nothing.
    func finish() -> EntryBlock? {
      if bytes.isEmpty { return nil }
      let exact = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
        count = room.initialize(fromContentsOf: bytes)
      }
      return EntryBlock(directory, exact)
    }

    /// Takes the next entry and gives its place; `nil` for one that is out of the common, and stays
    /// by itself.
    mutating func add(_ facts: EntryFacts, in place: EntryPlace.Directory) -> UInt32? {
      guard place === directory, let keyCount = UInt16(exactly: facts.key.bytes.count) else {
        return nil
      }
      let estimate = facts.rare?.estimatedSize
      if let rare = facts.rare, rare != RareFacts(estimatedSize: estimate) { return nil }
      var head = Head(keyCount: keyCount)
      var (digest, date) = (nil as SHA256Digest?, nil as String?)
      switch facts.version {
      case .unknown: break
      case .digest(let version):
        digest = version
        head.fields = facts.sha256 == nil ? .digest : [.digest, .isProven]
      case .dateAndSize(let text, let size):
        guard size == nil || size == facts.size else { return nil }
        date = text
        head.fields = size == nil ? .dateOrSize : [.dateOrSize, .versionSize]
      case .strongETag, .weakETag, .revision: return nil
      }
      guard let dateCount = UInt8(exactly: date?.utf8.count ?? 0) else { return nil }
      head.dateCount = dateCount
      let place = bytes.count
      bytes.add(head)
      func add<Value>(_ value: Value?, _ field: Head.Fields) {
        guard let value else { return }
        head.fields.insert(field)
        bytes.add(value)
      }
      func add<Value, Short>(
        _ value: Value?, _ field: Head.Fields, _ short: Short?, _ shortField: Head.Fields
      ) {
        if short == nil { add(value, field) } else { add(short, shortField) }
      }
      add(facts.size, .size, facts.size.flatMap { UInt32(exactly: $0) }, .shortSize)
      add(estimate, .estimate)
      add(
        facts.modified, .modified, facts.modified.flatMap { UInt32(exactly: $0) }, .wholeSeconds)
      add(facts.line, .line)
      add(digest, .digest)
      add(facts.pack, .pack)
      if let date {
        head.fields.insert(.date)
        bytes += date.utf8
      }
      bytes += facts.key.bytes
      bytes.withUnsafeMutableBytes { $0.storeBytes(of: head, toByteOffset: place, as: Head.self) }
      return UInt32(place)
    }
  }
}

// Values of plain bytes alone.
extension [UInt8] {
  fileprivate mutating func add<Value>(_ value: Value) {
    Swift.withUnsafeBytes(of: value) { self += $0 }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    defer { self = UnsafeRawBufferPointer(rebasing: dropFirst(MemoryLayout<Value>.size)) }
    return loadUnaligned(as: type)
  }
}
