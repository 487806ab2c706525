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

  /// Whether a pack is there in its size.
  func holds(_ pack: NamedPack) throws(PackFailure) -> Bool {
    guard let directory else { return false }
    let name = Array(pack.digest.description.utf8)
    return try PackFailure.translating("read", path(of: name)) { () throws(Errno) in
      guard let status = try directory.status(of: name) else { return false }
      return status.kind == .file && status.size == pack.size
    }
  }

  /// Whether a pack that is there has the bytes that it is named by.
  /// - Parameter told: Told of the bytes of each piece that was read.
  /// - Throws: ``PackFailure``, or `CancellationError` when it is to stop.
  func isWhole(
    _ pack: NamedPack, until stop: StopFlag, told: (Int) -> Void = { _ in }
  ) throws -> Bool {
    guard let directory else { return false }
    let name = Array(pack.digest.description.utf8)
    var hasher = SHA256Hasher()
    do {
      try directory.open(name: name, [.reading, .withoutWaiting]).readPieces { bytes in
        try stop.check()
        hasher.update(bytes)
        told(bytes.count)
      }
    } catch let error as Errno {
      throw PackFailure(action: "read", path: CatalogKey.escape(path(of: name)), errno: error)
    }
    return hasher.finish() == pack.digest
  }

  /// What a sweep did.
  struct Sweep {
    var removed = 0
    /// The first of the packs that could not be removed; it is tried again the next time.
    var failure: Errno?
  }

  /// Removes packs that no catalog has named for long enough. For who has the catalog's lock.
  /// - Parameters:
  ///   - memory: Since when each that isn't named isn't, in seconds since 1970.
  ///   - keep: For how many seconds they stay.
  func sweep(
    naming named: Set<SHA256Digest>, _ memory: inout PackMemory, now: Int64, keep: Int64
  ) throws(PackFailure) -> Sweep {
    guard let directory else {
      memory.unnamed = [:]
      return Sweep()
    }
    let packs = try PackFailure.translating("clear", name) { () throws(Errno) in
      try Self.packs(in: directory)
    }
    var (since, sweep) = ([:] as [SHA256Digest: Int64], Sweep())
    for (name, digest) in packs where !named.contains(digest) {
      let start = min(memory.unnamed[digest] ?? now, now)
      since[digest] = start
      guard now - start >= keep else { continue }
      do throws(Errno) {
        try directory.unlink(name)
        since[digest] = nil
        sweep.removed += 1
      } catch {
        sweep.failure = sweep.failure ?? error
      }
    }
    memory.unnamed = since
    return sweep
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
