import SyncEngine
public import SyncFetching
public import SyncFolder

/// What a ``FolderMirror`` copies, where to, and how.
public struct MirrorOptions: Sendable {
  /// Where the catalog is: an http, https or file URL, or `s3://bucket/prefix`, percent-encoded as
  /// any URL; the prefix stands for a directory.
  public var catalog: String
  /// The folder that is kept equal to the catalog; made if it is missing.
  public var folder: String

  /// Which part of the catalog is mirrored. Default: all of it.
  public var scope = Scope()
  /// Whether what is held and outside ``scope`` is removed as if the catalog lacked it, and counted
  /// for ``maximumRemoval``. Default `false`: it stays as it is.
  public var removesExcluded = false
  /// What comes last. Items that fit one of these are fetched before the rest is listed, unless the
  /// catalog gives their digests, and placed after everything else is durable. If anything else
  /// fails, none of them is placed and nothing is removed: an index that names other files never
  /// names one that isn't there. Default: none.
  public var last: [KeyPattern] = []
  /// The statuses of HTTP with which the source may refuse an item for good, such as 404, though
  /// its catalog names it: one that was refused so in the last run as well, and was never held, is
  /// no reason against what comes ``last``. Default: none. In listings of directories, 403, 404 and
  /// 410 mean so anyway.
  public var skippedStatuses: Set<Int> = []

  /// Which transfers are made. Default: contents only.
  public var previews = Previews.none
  /// Downloads at once, or fewer where the process may open too few files for so many: each takes
  /// two. 0, the default, begins with 8 for each origin and goes up as long as that makes it
  /// faster, to 256 in all.
  public var concurrency = 0
  /// Streams at once of one file of at least 8 MiB whose size and SHA-256 the catalog gives: so
  /// many parts of it are asked for side by side, where the server gives parts and a strong
  /// validator. They count for the limits of its origin as other requests do. 1 asks for no parts.
  /// 0, the default, takes up to 16, but only what the origin has room for beside the other
  /// downloads, by what ``concurrency`` of 0 finds out of it: one where that is given, and over
  /// HTTP/2, where all streams share a connection.
  public var streams = 0
  /// How many runs this process makes at once: each takes its share of the files that the process
  /// may have open. Default 1.
  public var runsAtOnce = 1
  /// Connections to one origin at once, and requests. Default 128, and 256 requests over HTTP/2,
  /// where one connection carries many of them.
  public var connectionsPerOrigin = SourceOptions.standardConnections
  /// Bytes a second from one origin; `nil`, the default, is without limit.
  public var bytesPerSecond: Int64?
  /// How long resolving a name, connecting and TLS may take together. Default 30 s.
  public var connectTimeout = Duration.seconds(30)
  /// How long less than 1 KiB a second is put up with: a transfer that slow for so long is cut and
  /// tried again. Default 30 s.
  public var stallTimeout = Duration.seconds(30)
  /// The least bytes a second of a transfer, on the average over all of it: it may take
  /// ``minimumRateGrace``, and as long as its bytes take at this rate. A slower one is cut and
  /// tried again, and goes on where it was cut if the server can. Default 4,096; 1 is next to no
  /// limit.
  public var minimumRate: Int64 = 4_096
  /// How long a transfer may take beside; see ``minimumRate``. Default 10 minutes.
  public var minimumRateGrace = Duration.seconds(600)
  /// Whether many small files come in few requests, where the catalog says in which packs they
  /// lie. Default `true`. With ``durability`` `file`, and from a catalog that is a file, each comes
  /// by itself anyway.
  public var usesPacks = true
  /// How often a transient failure is tried again. Default 5.
  public var retries = 5
  /// Whether the first failed item stops the run. Default `false`.
  public var stopOnError = false

  /// The catalog's format by name; `nil`, the default, recognises it by media type and content. Of
  /// `s3://…` it is `s3`, if nothing else is named.
  public var format: String?
  /// How the catalog is read, in place of by a format: as JSON in which this says what is what.
  /// Default: `nil`.
  public var mapping: JSONMapping?
  /// How the items of a feed are named; with one, another list than a feed is an error. Default:
  /// `nil`, by their identifiers.
  public var keyTemplate: KeyTemplate?
  /// Further formats, of the program's own: they are asked before those of this package whether a
  /// page is theirs. Default: none.
  public var additionalFormats: [any CatalogFormat] = []
  /// Which part of a Debian repository is mirrored. Default: all of it.
  public var repository = RepositoryChoice()
  /// A file with public keys of OpenPGP, as `gpg --export` writes it: the catalog is believed only
  /// if one of them has signed it, which the program `gpgv` finds out. `nil`, the default, doesn't
  /// look at signatures.
  public var keyring: String?
  /// Files with public keys of Ed25519 in PEM, as `openssl pkey -pubout` writes them: a catalog is
  /// believed only if it is signed by one of them (`CatalogWriter.Options.signKeys`), is no older
  /// than the one that was taken last, and may be taken at all, by the date until which it says so.
  /// Entries without a SHA-256 can't be used then. Default: signatures aren't looked at.
  public var verifyKeys: [String] = []
  /// Whether a folder whose catalog was checked by ``verifyKeys`` may follow it without. Default
  /// `false`: a run without keys is refused.
  public var acceptsUnsigned = false
  /// Whether a listing of unknown origin is taken for complete. Default `false`.
  public var vouchesForCompleteness = false
  /// The most bytes of the catalog, all its pages together and decompressed. Default 1 GiB.
  public var maximumCatalogSize: Int64 = 1 << 30
  /// Whether an ordered revision of the catalog, or the date of a Debian repository, may go
  /// backwards. Default `false`: such a listing is an error.
  public var allowsRollback = false
  /// Whether a Debian repository, or a signed catalog, is taken past the date until which it says
  /// that it may be (`Valid-Until`, `expires`), as archived suites are. Default `false`: it is an
  /// error.
  public var allowsExpired = false
  /// How many items may be removed at once. Default: less than half, or 3, and never all of
  /// several.
  public var maximumRemoval = MaximumRemoval.guarded
  /// Whether a folder that mirrors one catalog may be made to mirror another. Default `false`.
  public var acceptsNewCatalog = false
  /// How long removed files stay in quarantine. Default 7 days.
  public var keepRemoved = Duration.seconds(7 * 86_400)

  /// The largest size of an item without a declared size, in bytes. Default 1 TiB.
  public var maximumItemSize: Int64 = 1 << 40
  /// Whether a body is accepted whose end nothing vouches for. Default `false`.
  public var allowsUnframed = false
  /// Whether a body that comes in a content coding, unasked, is stored as it comes where neither
  /// size nor digest nor its name vouches for it. Default `false`: such an item fails.
  public var allowsCoded = false
  /// Hosts that may be at private, link-local or loopback addresses besides the catalog's own.
  public var allowedHosts: Set<String> = []

  /// How files are made durable. Default: many at once.
  public var durability = Durability.batch
  /// When a file that is already there is taken for the item. Default: when its bytes are equal.
  public var adoption = Adoption.equalBytes
  /// Whether a run is refused that doesn't fit on the disk by the sizes in the catalog. Default
  /// `true`; a file system that compresses may hold more than it says.
  public var checksSpace = true
  /// Whether the index is believed without a look at the files. Default `false`.
  public var trustsIndex = false
  /// Whether a folder that isn't a mirror yet is refused. Default `false`.
  public var requiresExisting = false
  /// Whether directories of a listing that hold nothing are made, and removed when they vanish and
  /// are empty. Default `false`. They are no items, and aren't counted.
  public var makesEmptyDirectories = false
  /// Whether missing directories above the folder are made, too. Default `false`.
  public var makesParents = false
  /// How long a run may take; then it ends as if it were cancelled: what is finished is kept, and
  /// the next one goes on. `nil`, the default, is as long as it takes.
  public var maximumDuration: Duration?
  /// Whether a run waits for another that holds the folder. Default `false`: it fails.
  public var waitsForLock = false

  /// What the server is told of the program that asks (RFC 9110, section 10.1.5).
  public var userAgent = "OneWaySynchronizer"
  /// What the server is told and shown.
  public var access = SourceAccess()

  /// The defaults, for a catalog and a folder.
  public init(catalog: String, folder: String) {
    self.catalog = catalog
    self.folder = folder
  }

  var folderMode: MirrorFolder.Mode {
    if requiresExisting { return .existing }
    return makesParents ? .createWithParents : .create
  }

  /// The number of downloads at once that ``concurrency`` stands for.
  package var effectiveConcurrency: Int {
    concurrency > 0
      ? min(concurrency, DescriptorLimit.downloads(ofRunsAtOnce: runsAtOnce))
      : DescriptorLimit.automaticDownloads(ofRunsAtOnce: runsAtOnce)
  }

  /// Which transfers are made.
  public enum Previews: String, Sendable {
    /// Contents only.
    case none
    /// All previews, then the contents.
    case also
    /// Previews only.
    case only
  }

  /// How many items of a folder one run may remove. An empty listing removes nothing but by
  /// ``all``, not even a single last item.
  public enum MaximumRemoval: Sendable, Equatable {
    /// Refused when at least half of the keys and more than 3 would go, and always when nothing
    /// would be left of more than one.
    case guarded
    /// Refused when more than this many would go.
    case count(Int)
    /// Refused when more than this share of the keys would go, from 0 to 1.
    case share(Double)
    /// Never refused, not even when the listing is empty.
    case all
    /// Nothing is removed: what the listing lacks stays, and the run goes on.
    case never

    var limit: RemovalLimit {
      switch self {
      case .guarded: .guarded(count: 3)
      case .count(let most): .count(most)
      case .share(let most): .share(most)
      case .all: .unlimited
      case .never: .count(0)
      }
    }
  }

  /// When a file that is already there is taken for the item. It keeps the date that it has, and
  /// is ours from then on.
  public enum Adoption: String, Sendable, CaseIterable {
    /// When its bytes are equal: by a digest in the catalog; or as the server gives its size and,
    /// to the second, its date; or as what is fetched equals it. It is read, and its digest
    /// recorded.
    case equalBytes = "bytes"
    /// When its size and its date are those of the catalog, as exactly as it tells them; then
    /// nothing is asked, and the bytes aren't read. So a tree of terabytes is taken over soon, and
    /// ``FolderMirror/verify()`` can say nothing of its bytes until
    /// ``FolderMirror/repair(tellFound:)`` has recorded digests. Any other file counts by
    /// ``equalBytes``.
    case sizeAndDate = "size-date"
  }

  /// The names that ``format`` can have.
  public static let formats = CatalogFormats.standard.formats.map(\.name.rawValue)
}
