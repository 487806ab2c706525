import SyncFiles
import SyncFolder
import SyncText

/// The directory that the catalog goes to, and the names in it that are the catalog's own.
struct CatalogPlace {
  private let directory: Descriptor
  private let identity: Identity
  private let name: String

  /// What tells one directory from another.
  private struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64

    init(_ directory: Descriptor) throws(Errno) {
      let status = try directory.status()
      (device, inode) = (status.device, status.inode)
    }
  }

  /// A catalog of this name in an open directory.
  init(_ name: String, in directory: Descriptor) throws(Errno) {
    self.name = name
    self.directory = directory
    identity = try Identity(directory)
  }

  /// Whether the catalog goes to this very directory.
  func isIn(_ other: Descriptor) throws(Errno) -> Bool { try Identity(other) == identity }

  /// Whether a name in the catalog's directory is the catalog's own.
  func isOwn(_ other: [UInt8]) -> Bool { Self.isOwn(other, of: name) }

  /// Whether a name beside a catalog is the catalog's own: itself, what is remembered beside it, or
  /// what is being written.
  static func isOwn(_ other: [UInt8], of name: String) -> Bool {
    other.elementsEqual(name.utf8) || PublishedNames.isState(other)
      || other.starts(with: ".\(name).".utf8) && other.suffix(8).elementsEqual(".partial".utf8)
  }

  /// Whether a file stands in the catalog's place that is none: somebody's own. In the header of
  /// every catalog its format's version comes first; an empty file holds nothing that could be
  /// lost.
  func isOccupied() throws(Errno) -> Bool {
    guard let bytes = try read(name), !bytes.isEmpty else { return false }
    let start = bytes.lazy.filter { $0 > 0x20 }.prefix(Self.start.utf8.count)
    return !start.elementsEqual(Self.start.utf8)
  }

  private static let start = #"{"catalog":"#

  /// Replaces the catalog in one step, unless it has these bytes already; whether it did.
  func replaceCatalog(with bytes: [UInt8]) throws(PublishError) -> Bool {
    try PublishError.translating("write", CatalogKey(name).description) { () throws(Errno) in
      try replace(name, with: bytes, mode: 0o666)
    }
  }

  /// What is remembered of the last catalog.
  var state: PublishedState {
    guard let bytes = try? read(stateName) else { return PublishedState() }
    return PublishedState(bytes: bytes)
  }

  /// Remembers for next time. Whoever reads the catalog has no use for it, and no rights.
  func remember(_ state: PublishedState) throws(Errno) {
    _ = try replace(stateName, with: state.bytes, mode: 0o600)
  }

  private var stateName: String { Self.stateName(of: name) }

  private static func stateName(of name: String) -> String {
    ".\(name)\(PublishedNames.stateEnding)"
  }

  private func replace(
    _ name: String, with bytes: [UInt8], mode: UInt32
  ) throws(Errno) -> Bool {
    guard try read(name) != bytes else { return false }
    // Beside the file, so that the rename stays on one file system; with the process in its name,
    // so that two writers don't share it.
    let temporary = Array(".\(self.name).\(Descriptor.currentProcess).partial".utf8)
    do { try directory.unlink(temporary) } catch .absent {}
    do throws(Errno) {
      let file = try directory.open(
        name: temporary, [.writing, .creating, .exclusively], mode: mode)
      try file.write(bytes)
      try file.flush()
      try directory.rename(temporary, to: directory, Array(name.utf8), .replacing)
      try directory.flush()
    } catch {
      try? directory.unlink(temporary)
      throw error
    }
    return true
  }

  private func read(_ name: String) throws(Errno) -> [UInt8]? {
    do {
      let file = try directory.open(name: Array(name.utf8), [.reading, .withoutWaiting])
      guard try file.status().kind == .file else { return nil }
      var bytes: [UInt8] = []
      try file.readAll { bytes += $0 }
      return bytes
    } catch .absent {
      return nil
    }
  }
}
