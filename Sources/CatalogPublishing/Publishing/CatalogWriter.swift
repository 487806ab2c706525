@_exported public import CatalogMirror
import SyncEssentials
package import SyncFiles
import SyncFolder
import SyncSystem
import SyncText

/// Writes a catalog of a local folder, so that any static host can serve both and `mirror` can
/// follow them.
///
/// The catalog is NDJSON of format 1: a header with `count`, `complete` and a revision, then the
/// entries in the byte order of their keys, each with size, digest and modification time (whole
/// seconds). Where it would say what it says already, the file isn't touched. Any other byte is a
/// new revision: one more than the last one, or the seconds since 1970 if they are more.
///
/// One writer at a time works on a catalog: it holds a lock on `.catalog.ndjson.mirror-lock`
/// beside it. Who may not make that file learns whether the catalog is up to date, and writes
/// none; where the file system keeps no locks, nobody is kept out.
/// A link in the catalog's place is followed, and what is no file is written into.
///
/// A catalog that is signed (``Options/signKeys``) says when it was published, and the last members
/// of its header are the digest of its lines and the signature of the header.
///
/// What was hashed is remembered in a file beside the catalog, `.catalog.ndjson.mirror-state`. A
/// file whose size, times and number are still those isn't read again; one that was written only
/// just before it was hashed is, as its times may not tell. Without what is remembered, everything
/// is hashed. A program that goes on writing through mapped memory may change no time for seconds.
///
/// Symbolic links are not followed and, like everything that isn't a regular file, left out; so are
/// `.mirror` and that of each mirror further down, the catalog itself, what catalogs remember, and
/// names that are no keys. What is left out for what it is, or for its name, is reported.
public struct CatalogWriter: Sendable {
  /// What may be chosen.
  public struct Options: Sendable {
    /// The catalog's file name. Default `catalog.ndjson`.
    public var fileName = "catalog.ndjson"
    /// The directory that the catalog goes to; it has to be there. Default: the folder itself.
    ///
    /// Where the one lies below the other, the catalog says so in its `base`, relative to itself:
    /// both are to be served as they lie. Elsewhere ``base`` has to say where the files are.
    public var directory: String?
    /// A title for people. Default none.
    public var title: String?
    /// Where clients find the files: a URL that ends with a slash. Default: where they lie, seen
    /// from the catalog.
    public var base: String?
    /// A directory in the folder that holds previews: the preview of `a/b.jpg` is the file
    /// `a/b.jpg.<extension>` in it. Its files are no entries. Default none.
    public var previews: String?
    /// Files with the private keys that sign the catalog, each of them: Ed25519 in PEM, as `openssl
    /// genpkey` writes it. Nobody but its owner may be allowed to read one, and none may lie among
    /// the files that are published. At most 64 keys: of more, no mirror takes the signatures.
    /// Default: the catalog isn't signed.
    public var signKeys: [String] = []
    /// Whether a catalog that isn't signed may take the place of one that is, which mirrors that
    /// check it refuse. Only without keys. Default `false`: it is an error.
    public var acceptsUnsigned = false
    /// How long mirrors may take a state of a signed catalog, at least a second. When less than
    /// half of that is left, the catalog is written anew though the folder hasn't changed. Default:
    /// for ever.
    public var expires: Duration?
    /// Whether the bytes of small files lie in packs, too: files beside the catalog that each hold
    /// many of them, so that a mirror fetches them with few requests. Only files are packed that
    /// everybody may read. What a server doesn't give out by its own rules, it does give out in a
    /// pack. Default `nil`: as the catalog has it that is replaced.
    public var packs: Bool?
    /// How long packs stay that the catalog doesn't name any more, for those who have just read
    /// the old one. Without the catalog's lock, as where the file system keeps none, they stay.
    /// Default: a day.
    public var keepPacks = Duration.seconds(86_400)
    /// Whether every file is hashed, whatever is remembered, and every pack. Default `false`.
    public var rehashes = false
    /// Whether another one who publishes this very catalog is waited for. Default `false`: it is
    /// an error.
    public var waitsForLock = false

    /// The defaults.
    public init() {}
  }

  private let folder: String
  private let options: Options
  private let now: @Sendable () -> Int64

  /// A writer for the folder at this path.
  public init(folder: String, options: Options = Options()) {
    self.init(folder: folder, options: options) {
      Int64(nanosecondsOf: Date().timeIntervalSince1970)
    }
  }

  package init(folder: String, options: Options, now: @escaping @Sendable () -> Int64) {
    self.folder = folder
    self.options = options
    self.now = now
  }

  /// Looks at every file, hashes what is new or changed, and replaces the catalog in one step: a
  /// temporary file beside it, flushed, then renamed. Blocks the calling thread.
  ///
  /// - Parameter told: Told how far it is.
  /// - Throws: ``PublishError``.
  package func write(told: (PublishProgress) -> Void = { _ in }) throws -> PublishReport {
    try withoutActuallyEscaping(told) { try write(until: StopFlag(), told: $0) }
  }

  /// As ``write(told:)``, until `stop` is raised: then the catalog stays as it is.
  /// - Parameter enter: Told of each directory before it is listed, and whether the catalog goes
  ///   there.
  /// - Parameter waits: Told who publishes the catalog, before he is waited for.
  /// - Throws: ``PublishError``, or `CancellationError`.
  package func write(
    until stop: StopFlag, told: @escaping (PublishProgress) -> Void = { _ in },
    waits: (LockHolder?) -> Void = { _ in },
    enter: @escaping (Descriptor, Bool) throws(PublishError) -> Void = { _, _ in }
  ) throws -> PublishReport {
    try options.check()
    let signKeys = try SignKeys(options.signKeys)
    let succession = CatalogSuccession(
      keys: signKeys.publicKeys, acceptsUnsigned: options.acceptsUnsigned)
    let root = try PublishError.opening(folder, in: SystemFileSystem())
    let (place, base) = try place(of: root)
    let right = try right(to: place, until: stop, waits: waits)
    defer { right.lock?.release() }
    try place.check(succession, now: seconds)
    let previews = try PublishedPreviews(in: options.previews, below: root)
    let last = place.state
    var packs = try PublishedPacks(
      options, at: place, by: right, remembering: last.packs, now: seconds, until: stop,
      told: told)
    defer { packs.abandon() }
    var walk = FolderWalk(for: place, until: stop, enter: enter)
    try walk.run(through: root)
    let found = previews.assign(walk.takeFiles())
    var hashing = FileHashing(
      below: root, after: packs.reading, until: stop, now: now, told: told)
    var files = try hashing.hash(
      found, remembering: options.rehashes ? PublishedState() : last, by: packs.packer)
    let hashed = hashing.progress.files.total - packs.reading.files.total
    try packs.gather(&files, listing: found.listed, by: &hashing)
    // After the last file was read, and before a pack is in place, which somebody might read.
    let signer = try signKeys.signer(notAmong: files, lifetime: options.expires)
    try packs.place(files[..<found.listed])
    var text = CatalogText(title: options.title, base: base, entries: found.entries(of: files))
    (text.packed, text.signer) = (packs.text, signer)
    let published = try replace(place, with: text, after: succession, by: right, until: stop)
    packs.sweep(keeping: options.keepPacks, now: seconds)
    var report = PublishReport(
      text.entries, hashed: hashed, wasReplaced: published.wasReplaced,
      skipped: walk.skipped + found.orphans)
    report.base = base
    report.packs = packs.report
    report.formerCatalogs = formerCatalogs(among: text.entries, in: root)
    report.signedBy = text.signer?.ids ?? []
    report.expires = published.dates?.expires
    report.renewal = published.dates.flatMap { text.signer?.renewal(of: $0) }
    // Only after the catalog: what is remembered is never newer than what is published.
    do {
      try place.remember(hashing.state, packs: packs.memory, by: right)
    } catch {
      report.unremembered = error.text
    }
    return report
  }

  private var seconds: Int64 { now() / 1_000_000_000 }

  /// Whether a name beside the catalog is the catalog's own.
  func isOwn(_ name: [UInt8]) -> Bool {
    let packs = options.fileName + PublishedNames.packsEnding
    return CatalogPlace.isOwn(name, of: options.fileName)
      || options.packs == true && name.elementsEqual(packs.utf8)
  }

  /// How long a reader of a FIFO may read nothing.
  private static let patience = Duration.seconds(60)

  private func replace(
    _ place: CatalogPlace, with text: CatalogText, after succession: CatalogSuccession,
    by right: CatalogPlace.Right, until stop: StopFlag
  ) throws -> CatalogPlace.Published {
    do {
      return try place.replaceCatalog(with: text, after: succession, by: right, now: seconds) {
        idle in
        stop.isRaised || idle > Self.patience
      }
    } catch {
      // Whoever was waited for in vain need not be told of.
      try stop.check()
      throw error
    }
  }

  /// The time now, in nanoseconds since 1970.
  var date: Int64 { now() }

  private func right(
    to place: CatalogPlace, until stop: StopFlag, waits: (LockHolder?) -> Void
  ) throws -> CatalogPlace.Right {
    var told: LockHolder??
    while true {
      do {
        return try place.right(now: Double(now()) / 1_000_000_000)
      } catch let error as FolderError {
        guard case .locked(let holder) = error.code else { throw PublishError.unlocked(error) }
        guard options.waitsForLock else { throw PublishError.locked(path: error.path, by: holder) }
        if told != .some(holder) { waits(holder) }
        told = .some(holder)
        usleep(100_000)
        try stop.check()
      } catch let error as Errno {
        throw PublishError.system(action: "lock", path: options.fileName, reason: error.text)
      }
    }
  }

  /// Where the catalog goes, and what its URLs start from.
  private func place(of root: Descriptor) throws(PublishError) -> (CatalogPlace, String?) {
    var (directory, base) = (root, options.base)
    if let other = options.directory {
      directory = try PublishError.opening(other, in: root.fileSystem)
      let way = FolderWay(from: other, to: folder)
      guard base != nil || way.isServedAlike else { throw .badOption(.baseMissing(other)) }
      base = base ?? way.reference
    }
    let (place, isOccupied) = try PublishError.translating(
      "write", CatalogKey(options.fileName).description
    ) { () throws(Errno) in
      let place = try CatalogPlace(
        options.fileName, in: directory, at: options.directory ?? folder)
      return (place, try place.isOccupied())
    }
    guard !isOccupied else { throw .badOption(.occupied(options.fileName)) }
    return (place, base)
  }
}

extension CatalogWriter.Options {
  fileprivate func check() throws(PublishError) {
    guard expires == nil || !signKeys.isEmpty else { throw .badOption(.expiresUnsigned) }
    guard !acceptsUnsigned || signKeys.isEmpty else { throw .badOption(.unsignedAndSigned) }
    let isName = (try? RelativePath(CatalogKey(fileName)))?.components.count == 1
    guard isName else { throw .badOption(.fileName(fileName)) }
    if let base {
      guard let url = URLReference(base), url.scheme != nil, url.path.hasSuffix("/"),
        !url.hasUserInfo
      else { throw .badOption(.base) }
    }
  }
}
