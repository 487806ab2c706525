import CatalogMirror
import SyncFiles
import SyncFolder
import SyncText

/// The place that the catalog goes to, and the names beside it that are the catalog's own.
///
/// Where the catalog's name is a link, the file that it leads to is the catalog, and what is kept
/// beside it lies there. What is no file, as a FIFO, is written into, and nothing is kept.
struct CatalogPlace {
  private let file: FilePlace
  private let name: String
  /// The directories in which the catalog has a name: where it lies, and where the link does.
  private let names: [(directory: Identity, name: String)]
  /// Where clients find the catalog: the directory that its link lies in, if it is one.
  private let served: (directory: Descriptor, name: String)

  private struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64

    init(_ directory: Descriptor) throws(Errno) {
      let status = try directory.status()
      (device, inode) = (status.device, status.inode)
    }
  }

  /// A catalog of this name in an open directory, which has this path.
  init(_ name: String, in directory: Descriptor, at path: String) throws(Errno) {
    file = try FilePlace(userPath: "\(path)/\(name)")
    self.name = String(decoding: file.name, as: UTF8.self)
    served = (directory, name)
    names = [
      (try Identity(file.directory), self.name), (try Identity(directory), name),
    ]
  }

  func names(in other: Descriptor) throws(Errno) -> [String] {
    let other = try Identity(other)
    return names.filter { $0.directory == other }.map(\.name)
  }

  /// Whether a name beside a catalog is the catalog's own: itself, what is kept beside it, or what
  /// is being written.
  static func isOwn(_ other: [UInt8], of name: String) -> Bool {
    other.elementsEqual(name.utf8) || PublishedNames.isState(other)
      || other.starts(with: ".\(name).".utf8) && other.suffix(8).elementsEqual(".partial".utf8)
  }

  /// Whether a file stands in the catalog's place that is none: somebody's own. In the header of
  /// every catalog its format's version comes first; an empty file holds nothing that could be
  /// lost.
  func isOccupied() throws(Errno) -> Bool {
    guard let bytes = try file.bytes(), !bytes.isEmpty else { return false }
    let start = bytes.lazy.filter { $0 > 0x20 }.prefix(Self.start.utf8.count)
    return !start.elementsEqual(Self.start.utf8)
  }

  private static let start = #"{"catalog":"#

  enum Right {
    /// Nobody else writes before he gives the lock back; `nil` where no lock can be kept.
    case write(FolderLock?)
    /// He may not lock, and so only look; what the system said.
    case look(because: Errno)

    var lock: FolderLock? {
      guard case .write(let lock) = self else { return nil }
      return lock
    }

    /// Has only him write who may.
    func check() throws(Errno) {
      guard case .look(let reason) = self else { return }
      throw reason
    }
  }

  /// Takes the right to publish here.
  /// - Throws: ``FolderError``, or `Errno`.
  func right(now: Double) throws -> Right {
    guard isKept else { return .write(nil) }
    let lock = Array(".\(name)\(PublishedNames.lockEnding)".utf8)
    do {
      return .write(try FolderLock.acquire(lock, in: file.directory, for: name, now: now))
    } catch let error as Errno where error == .noRights || error == .readOnly {
      return .look(because: error)
    } catch let error as FolderError where error.code == .withoutLocks {
      return .write(nil)
    }
  }

  /// What stands in the catalog's place once it was published.
  struct Published {
    var wasReplaced: Bool
    /// The dates of one that is signed.
    var dates: PublishedDates?
  }

  /// Makes sure that what stands here may be followed by another catalog.
  func check(_ succession: CatalogSuccession, now seconds: Int64) throws(PublishError) {
    let name = CatalogKey(name).description
    let old = try PublishError.translating("read", name) { () throws(Errno) in try file.bytes() }
    if let old { _ = try succession.lastRevision(in: old, named: name, at: seconds) }
  }

  /// Replaces the catalog in one step, unless it says all this already.
  ///
  /// The revision is a number that only grows, whatever clock the publisher has: one more than that
  /// of the catalog which is replaced, or the seconds since 1970 if they are more.
  func replaceCatalog(
    with text: CatalogText, after succession: CatalogSuccession, by right: Right,
    now seconds: Int64, until isHopeless: FilePlace.Patience
  ) throws(PublishError) -> Published {
    let (action, name) = ("write", CatalogKey(name).description)
    let old = try PublishError.translating(action, name) { () throws(Errno) in try file.bytes() }
    var bytes = text.lines
    if let old, let current = text.current(old, bytes, at: seconds) { return current }
    var last: Int64?
    // Of the very bytes that are replaced: somebody may have changed them since they were checked.
    if let old { last = try succession.lastRevision(in: old, named: name, at: seconds) }
    guard last != .max else { throw .noRevisionLeft(name) }
    return try PublishError.translating(action, name) { () throws(Errno) in
      try right.check()
      let revision = max((last ?? -1) + 1, seconds)
      bytes.insert(contentsOf: text.header(revision, over: bytes, publishedAt: seconds), at: 0)
      try file.write(bytes, isDurable: true, until: isHopeless)
      return Published(
        wasReplaced: true, dates: text.signer?.dates(publishedAt: seconds))
    }
  }

  /// The directory of its packs, which lies where clients look for it; `nil` where somebody else's
  /// stands there, or the catalog is no file that one could stand beside.
  func packs() throws(PackFailure) -> PackDirectory? {
    guard isKept,
      case .own(let own) = try PackDirectory.find(
        beside: served.name, in: served.directory)
    else { return nil }
    return own
  }

  /// Why no packs can lie beside it.
  var packsProblem: PublishError.BadOption {
    isKept
      ? .packsOccupied(served.name + PublishedNames.packsEnding) : .packsBesideNothing(served.name)
  }

  /// Reads what the catalog that stands there says of packs.
  func readBook() -> PackBook {
    (try? file.bytes()).flatMap { $0 }.map(PackBook.init(catalog:)) ?? PackBook()
  }

  var state: PublishedState {
    guard isKept, let bytes = try? file.directory.bytes(of: stateName) else {
      return PublishedState()
    }
    return PublishedState(bytes: bytes)
  }

  /// Remembers for next time. Whoever reads the catalog has no use for it, and no rights.
  func remember(
    _ files: [PublishedState.Named], packs: PackMemory, by right: Right
  ) throws(Errno) {
    let bytes = PublishedState.bytes(of: files, packs: packs)
    guard isKept, try file.directory.bytes(of: stateName) != bytes else { return }
    try right.check()
    try file.directory.replace(stateName, with: bytes, mode: 0o600, isDurable: true)
  }

  /// Whether the catalog is a file, which the next publisher finds.
  var isKept: Bool { file.kind == .file || file.kind == .nothing }

  private var stateName: [UInt8] { Array(".\(name)\(PublishedNames.stateEnding)".utf8) }
}
