import SyncFiles
import SyncText

/// Writes packs one after the other: files are read into its buffer, side by side, and go from
/// there to the disk in few large pieces.
///
/// Packs get their names only when all of them are durable. Not thread-safe: for one thread.
final class PackWriter {
  private let buffer: UnsafeMutableRawBufferPointer
  /// How much of the buffer is filled, but for what isn't taken yet.
  private var filled = 0
  private var draft: PackDraft?
  private var hasher = SHA256Hasher()
  private var fileHasher = SHA256Hasher()
  /// What the pack that is being written holds.
  private(set) var open = PackPolicy.Load()
  /// Whole packs that may not be durable yet, the oldest first, and those that are.
  private var fresh: [(draft: PackDraft, pack: NamedPack)] = []
  private var durable: [Durable] = []
  private let directory: () throws(PackFailure) -> Descriptor

  /// A whole pack that stays whatever happens, under its draft's name. It is open no more: there
  /// may be thousands.
  private struct Durable {
    var name: [UInt8]
    /// The rights that it is to have.
    var mode: UInt32
    var pack: NamedPack
  }

  /// So much is written at once.
  private static let piece = 2 << 20
  /// So many packs may be on their way to the disk while the next one is written.
  private static let mostFresh = 4

  /// - Parameter directory: Gives the directory of the packs, and makes it if need be. It is asked
  ///   when the first piece is written.
  init(into directory: @escaping () throws(PackFailure) -> Descriptor) {
    self.directory = directory
    buffer = .allocate(
      byteCount: Self.piece + Int(PackPolicy.largestFile) + 1, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Whether the pack that is being written takes a file of this size, too.
  func fits(_ size: Int64) -> Bool { open.bytes + size <= PackPolicy.mostBytes }

  /// Room for a file's bytes and one more, by which it shows that it has more of them.
  func room(for size: Int64) throws(PackFailure) -> UnsafeMutableRawBufferPointer {
    if filled + Int(size) > Self.piece { try spill() }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[filled...].prefix(Int(size) + 1))
  }

  /// The digest of what was read into the room.
  func digest(ofRoom count: Int) -> SHA256Digest {
    fileHasher.update(UnsafeRawBufferPointer(rebasing: buffer[filled...].prefix(count)))
    return fileHasher.finishAndRestart()
  }

  /// Takes what was read into the room into the pack; where in it that begins.
  func take(_ count: Int) -> UInt32 {
    defer {
      filled += count
      open.files += 1
      open.bytes += Int64(count)
    }
    // A pack is far below 4 GiB.
    return UInt32(open.bytes)
  }

  /// Ends the pack that is being written.
  func endPack(id: UInt32) throws(PackFailure) -> NamedPack {
    try spill()
    guard let draft else { preconditionFailure("a pack without bytes") }
    let pack = NamedPack(id: id, size: open.bytes, digest: hasher.finishAndRestart())
    fresh.append((draft, pack))
    (self.draft, open) = (nil, .init())
    if fresh.count > Self.mostFresh { try flushOldest() }
    return pack
  }

  /// Forgets the pack that is being written.
  func dropPack() {
    filled = 0
    open = .init()
    _ = hasher.finishAndRestart()
    if let draft { remove(draft.name) }
    draft = nil
  }

  /// Makes all packs durable and then gives them their names; how many, and with how many bytes.
  func finish() throws(PackFailure) -> (count: Int, bytes: Int64) {
    while !fresh.isEmpty { try flushOldest() }
    guard !durable.isEmpty else { return (0, 0) }
    let directory = try directory()
    let written = (durable.count, durable.reduce(0) { $0 + $1.pack.size })
    try setRights(of: durable, in: directory)
    while let last = durable.last {
      let name = Array(last.pack.digest.description.utf8)
      try PackFailure.translating("write", name) { () throws(Errno) in
        try directory.rename(last.name, to: directory, name, .replacing)
      }
      durable.removeLast()
    }
    try PackFailure.translating("write", Array(".".utf8)) { () throws(Errno) in
      try directory.open(name: Array(".".utf8), [.reading, .directory]).flush()
    }
    return written
  }

  /// Gives packs their rights for good, first all of them: then the first flush writes most.
  private func setRights(of packs: [Durable], in directory: Descriptor) throws(PackFailure) {
    func each(_ body: (Descriptor, Durable) throws(Errno) -> Void) throws(PackFailure) {
      for pack in packs {
        try PackFailure.translating("write", pack.name) { () throws(Errno) in
          try body(try directory.open(name: pack.name, [.reading, .withoutWaiting]), pack)
        }
      }
    }
    try each { (file, pack) throws(Errno) in try file.setMode(pack.mode) }
    try each { (file, _) throws(Errno) in try file.flush() }
  }

  /// Removes what has no name yet.
  func abandon() {
    dropPack()
    for name in fresh.map(\.draft.name) + durable.map(\.name) { remove(name) }
    (fresh, durable) = ([], [])
  }

  private func remove(_ draft: [UInt8]) {
    // What stays is found by the next one who publishes.
    try? directory().unlink(draft)
  }

  private func spill() throws(PackFailure) {
    guard filled > 0 else { return }
    let piece = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
    let directory = try directory()
    try PackFailure.translating("write", Array("a pack".utf8)) { () throws(Errno) in
      if draft == nil { draft = try PackDraft(in: directory) }
      guard let file = draft?.file else { return }
      try file.write(piece)
      file.startWriteBack(
        from: open.bytes - Int64(piece.count), count: Int64(piece.count))
    }
    hasher.update(piece)
    filled = 0
  }

  /// A failed flush is never tried again: what it was about may be lost.
  private func flushOldest() throws(PackFailure) {
    let (draft, pack) = fresh.removeFirst()
    do throws(PackFailure) {
      try PackFailure.translating("write", draft.name) { () throws(Errno) in
        try draft.file.flush()
      }
    } catch {
      remove(draft.name)
      throw error
    }
    durable.append(Durable(name: draft.name, mode: draft.mode, pack: pack))
  }
}
