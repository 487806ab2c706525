public import CatalogMirror
import SyncFetching
import SyncFolder
import SyncText

/// Looks at a source and says what a mirror of it is worth: what it is, how much it holds, how well
/// it tells what has changed, and what of it can't be mirrored. Reads only: the list, as a run
/// would, its first page's header three times more, and of one item and one pack a few hundred KiB
/// at most.
public struct SourceDoctor: Sendable {
  private let options: MirrorOptions
  private let environment: MirrorEnvironment

  /// Of a list of more pages than this, the first are read.
  static let mostPages = 200
  /// What a page has to be smaller than to be tried by each format: anything may be there.
  static let mostTried = 64 << 20

  /// A doctor for the catalog that the options name, asked as they say. The folder isn't looked at.
  public init(_ options: MirrorOptions) {
    self.init(options, in: MirrorEnvironment())
  }

  init(_ options: MirrorOptions, in environment: MirrorEnvironment) {
    self.options = options
    self.environment = environment
  }

  /// Looks at the source.
  ///
  /// - Throws: `MirrorError` for an address or an option that can't be used; whatever the source
  ///   does is part of the diagnosis.
  public func examine() async throws -> SourceDiagnosis {
    let observer = MirrorObserver()
    let connection = try SourceConnection(options, in: environment, observer: observer)
    do {
      let catalog = CatalogSource(
        connection, options, folding: .none, at: environment.now(), observer: observer)
      let diagnosis = try await examine(catalog.limited(toPages: Self.mostPages))
      await connection.close()
      return diagnosis
    } catch {
      await connection.close()
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  private func examine(_ catalog: CatalogSource) async throws -> SourceDiagnosis {
    let root = catalog.root
    var diagnosis = SourceDiagnosis(address: root.mayHoldSecret ? root.redacted : root.text)
    let asking = SourceAsking(source: catalog.source)
    do {
      let listing = try await catalog.listing()
      var list = SourceDiagnosis.List(listing, in: catalog.formats)
      list.isExpired = list.expires.map { Double($0) < environment.now() } ?? false
      list.suites = SuiteSearch(listing, at: catalog.root).addresses
      list.offersJSON = try await offersJSON(listing, catalog)
      diagnosis.list = list
      diagnosis.item = try await examineItem(of: listing, asking)
      let packs = listing.packs.all.filter { $0.url.hasPrefix("http") }
      if let pack = packs.min(by: { $0.url < $1.url }) {
        diagnosis.pack = try await asking.examine(pack)
      }
    } catch let error as CatalogError {
      diagnosis.problem = MirrorReport.Failure(key: nil, error)
      if error.advice == .publishFolder {
        diagnosis.folder = PercentEncoding.decode(root.path)
          .flatMap { String(validating: $0, as: UTF8.self) }
      }
      diagnosis.candidates = try await CandidateSearch(catalog).candidates(after: error)
    }
    let first = catalog.opening(after: nil).whole
    for url in [first.url] + first.alternatives {
      var request = first
      request.url = url
      // What is there is what a run asks for, whatever it is known by.
      guard let found = try await asking.validation(of: ByteRequest(request)) else { continue }
      diagnosis.listValidator = found
      break
    }
    return diagnosis
  }

  /// Whether a Python package index gives JSON; `nil` where the list is none, or no answer comes.
  private func offersJSON(_ listing: Listing, _ catalog: CatalogSource) async throws -> Bool? {
    guard listing.format == .simpleIndex, let format = catalog.formats[name: .simpleIndex] else {
      return nil
    }
    let request = format.firstRequest(to: catalog.root)
    guard let body = try await catalog.body(of: request, atMost: Self.mostTried) else { return nil }
    return body.mediaType?.hasPrefix("application/vnd.pypi.simple.v1+json") ?? false
  }

  /// Asks for the smallest item that is large enough to be cut, else for the first one.
  private func examineItem(
    of listing: Listing, _ asking: SourceAsking
  ) async throws -> SourceDiagnosis.Item? {
    let sized = listing.entries.filter { ($0.size ?? $0.estimatedSize ?? 0) >= 2 }
    let entry = sized.min { ($0.size ?? .max, $0.key) < ($1.size ?? .max, $1.key) }
    guard let entry = entry ?? listing.entries.first, let url = entry.locators.first else {
      return nil
    }
    return try await asking.examine(url, key: "\(entry.key)")
  }
}

extension SourceDiagnosis.List {
  init(_ listing: Listing, in formats: CatalogFormats) {
    format = listing.format.rawValue
    noun = formats[name: listing.format]?.noun ?? listing.format.rawValue
    pages = listing.pages.count
    isPart = listing.isPart
    if listing.pages.first?.checkpoint != nil {
      again = .changes
    } else if listing.format == .debian {
      again = .release
    }
    (signers, verifiedBy) = (listing.header.signers, listing.header.verifiedBy)
    expires = signers.isEmpty ? nil : listing.header.claimedExpiry
    items = listing.entries.count
    for entry in listing.entries {
      let size = entry.size ?? entry.estimatedSize
      bytes = bytes.addingSaturated(size ?? 0)
      if size == nil { unsized += 1 }
      if size != nil, entry.size == nil { rounded += 1 }
      if entry.version != .unknown { versioned += 1 }
      if entry.version.isDate { dated += 1 }
      if entry.preview != nil { previewed += 1 }
      if entry.sha256 != nil, entry.size != nil, let place = entry.listed.pack,
        listing.packs[place.pack] != nil
      {
        packed += 1
      }
    }
    packs = listing.packs.all.count
    packBytes = listing.packs.all.reduce(0) { $0.addingSaturated($1.size) }
    countDigests(of: listing.entries)
    let unusable = listing.unusable + listing.keyless.named
    refused = unusable.prefix(20).map { MirrorReport.Failure(key: nil, $0) }
    refusedCount = unusable.count + listing.keyless.unnamed
    folded = Self.folded(listing.entries)
    unreadable = listing.unreadable.map { MirrorReport.Failure($0) }
    isWhole = listing.completeness == .complete && !isPart
    partial = listing.partialReasons
    remarks = listing.notes.remarks
  }

  private mutating func countDigests(of entries: UsableEntries) {
    var (proofs, checks): (Set<String>, Set<String>) = ([], [])
    for entry in entries {
      if let proof = entry.proof {
        digested += 1
        proofs.insert(proof.algorithm.title)
      } else if !entry.checks.isEmpty {
        refutable += 1
        checks.formUnion(entry.checks.map(\.algorithm.title))
      }
    }
    (self.proofs, self.checks) = (proofs.sorted(), checks.sorted())
  }

  /// How many keys can't stand side by side where case and Unicode form don't tell names apart.
  private static func folded(_ entries: UsableEntries) -> Int {
    CollisionCheck(
      folding: NameFolding(caseFolding: true, unicodeNormalizing: true)
    ).problems(of: entries.map(\.path)).count
  }
}
