import CatalogMirror
import SyncFiles
import SyncText

/// The directory of a catalog's packs, which lies beside it and bears its name.
///
/// It is the catalog's own by the file ``PublishedNames/mark`` in it; nothing in one without it is
/// touched. Each pack is named by its digest, and only files that are named so are ever removed.
final class PackDirectory {
  private let parent: Descriptor
  let name: [UInt8]
  /// `nil` until something is to be written.
  private var directory: Descriptor?

  private init(parent: Descriptor, name: [UInt8], directory: Descriptor?) {
    (self.parent, self.name, self.directory) = (parent, name, directory)
  }

  /// Whether it is there already.
  var isThere: Bool { directory != nil }

  /// What stands in the directory's place.
  enum Finding {
    /// It, or nothing yet.
    case own(PackDirectory)
    /// Somebody else's.
    case foreign
  }

  /// Looks for the directory of a catalog's packs.
  static func find(beside catalog: String, in parent: Descriptor) throws(PackFailure) -> Finding {
    let name = Array((catalog + PublishedNames.packsEnding).utf8)
    return try PackFailure.translating("look at", name) { () throws(Errno) in
      guard let status = try parent.status(of: name) else {
        return .own(PackDirectory(parent: parent, name: name, directory: nil))
      }
      guard status.kind == .directory else { return .foreign }
      let open = try parent.open(name: name, [.reading, .directory])
      let isMarked = try PublishedNames.isMarked(open)
      if !isMarked, try !open.entries().isEmpty { return .foreign }
      return .own(PackDirectory(parent: parent, name: name, directory: isMarked ? open : nil))
    }
  }

  /// The directory, made durable and the catalog's own, where it isn't yet.
  func make() throws(PackFailure) -> Descriptor {
    if let directory { return directory }
    let made = try PackFailure.translating("make", name) { () throws(Errno) in
      if try parent.status(of: name) == nil { try parent.makeDirectory(name) }
      let made = try parent.open(name: name, [.reading, .directory])
      let mark = try made.open(
        name: Array(PublishedNames.mark.utf8), .writingAnew, mode: 0o666)
      try mark.write(Self.markText)
      try mark.flush()
      try made.flush()
      try parent.open(name: Array(".".utf8), [.reading, .directory]).flush()
      return made
    }
    directory = made
    return made
  }

  private static let markText = Array(
    """
    'mirror publish' made this directory and removes what it needs no longer from it.\n
    """.utf8)

  /// Whether a pack is there in its size; with `isRead`, in all of its bytes.
  func holds(_ pack: NamedPack, isRead: Bool) throws(PackFailure) -> Bool {
    guard let directory else { return false }
    let name = Array(pack.digest.description.utf8)
    return try PackFailure.translating("read", path(of: name)) { () throws(Errno) in
      guard let status = try directory.status(of: name), status.kind == .file,
        status.size == pack.size
      else { return false }
      guard isRead else { return true }
      let file = try directory.open(name: name, [.reading, .withoutWaiting])
      var hasher = SHA256Hasher()
      try file.readAll { hasher.update($0) }
      return hasher.finish() == pack.digest
    }
  }

  /// Removes packs that no catalog has named for long enough, and says how many.
  /// - Parameters:
  ///   - memory: Since when each that isn't named isn't, in seconds since 1970.
  ///   - keep: For how many seconds they stay.
  func sweep(
    naming named: Set<SHA256Digest>, _ memory: inout PackMemory, now: Int64, keep: Int64
  ) throws(PackFailure) -> Int {
    guard let directory else {
      memory.unnamed = [:]
      return 0
    }
    let (known, path) = (memory.unnamed, name)
    var (since, removed) = ([:] as [SHA256Digest: Int64], 0)
    try PackFailure.translating("clear", path) { () throws(Errno) in
      for (name, digest) in try Self.packs(in: directory) where !named.contains(digest) {
        let start = min(known[digest] ?? now, now)
        if now - start < keep {
          since[digest] = start
        } else {
          try directory.unlink(name)
          removed += 1
        }
      }
    }
    memory.unnamed = since
    return removed
  }

  /// Removes what a publisher left that was killed while it wrote. For who has the catalog's lock.
  func removeDrafts() throws(PackFailure) {
    guard let directory else { return }
    try PackFailure.translating("clear", name) { () throws(Errno) in
      for (name, _) in try Self.packs(in: directory) where PackDraft.isDraft(name) {
        try directory.unlink(name)
      }
    }
  }

  /// The files that are named by a digest in lower case.
  private static func packs(
    in directory: Descriptor
  ) throws(Errno) -> [(name: [UInt8], digest: SHA256Digest)] {
    // Reading a directory moves its descriptor's place: "." is another open file.
    let fresh = try directory.open(name: Array(".".utf8), [.reading, .directory])
    return try fresh.entries().compactMap { entry in
      guard entry.kind == .file, !entry.name.contains(where: \.isCapital),
        let digest = entry.name.withUnsafeBytes({ SHA256Digest(hexadecimal: $0) })
      else { return nil }
      return (entry.name, digest)
    }
  }

  func path(of file: [UInt8]) -> [UInt8] { name + [UInt8(ascii: "/")] + file }
}
