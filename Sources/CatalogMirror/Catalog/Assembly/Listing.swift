package import SyncFolder
package import SyncText

/// What one fetch of a whole catalog gave. ``SourceReading`` has it held against the index.
package struct Listing: Hashable, Sendable {
  /// The entries that can be used, in the order of the catalog; none comes twice, none collides,
  /// and each has a locator. Empty when ``isUnchanged``.
  package var entries: UsableEntries = []
  /// The position of each of ``entries`` in the catalog, counted from 1.
  package var positions: [UInt32] = []
  /// Further entries, which the index has already as they are listed. Whether they can stand beside
  /// ``entries`` and each other is still to be checked (see ``ListingComparison``).
  package var known: [KnownLine] = []
  /// Keys whose version doesn't prove anything: look at these items again next time.
  package var unsettled: Set<CatalogKey> { entries.unsettled }
  /// What can't be used though it has a key: failed items that count as present, and so does what
  /// is held below one, which may be a directory that nobody could look at.
  package var unusable: [UnusableEntry] = []
  package var keyless = KeylessEntries()
  /// Whether pages of it were left unread, as who only looks at it wants.
  package var isPart = false
  /// What the scope leaves out: it is listed, and says nothing of what is held.
  package var leftOut: [LeftOut] = []
  /// What the pages say beside their entries.
  package var notes = ListingNotes()
  /// Files that hold many of its small ones.
  package var packs = ListedPacks()
  /// Directories whose pages can't be had. Each speaks only for itself: what is held below it
  /// counts as present, and says nothing of the rest.
  package var unreadable: [UnreadableDirectory] = []
  /// Whether absence from ``entries``, ``known``, ``unusable`` and what lies below ``unusable`` and
  /// ``unreadable`` means deletion.
  package var completeness: Completeness = .complete
  /// What the catalog says of its state: its name, its revision, its dates.
  package var header = CatalogHeader()
  /// Whether it was proved that nothing changed since the recorded listing.
  package var isUnchanged = false
  /// How many items the recorded listing had; only of one that hasn't changed.
  package var unchangedCount = 0
  /// What to remember for next time, page by page, in the order of the catalog.
  package var pages: [PageRecord] = []
  package var format: CatalogFormatName

  package enum Completeness: Hashable, Sendable {
    case complete
    case partial([PartialReason])
    /// It doesn't: the listing names what has changed, and these keys of what is gone; one that
    /// ends with a slash stands for everything below that directory.
    case changes(removed: Set<CatalogKey>)
  }
}

/// What the pages of a listing say beside their entries; not known of one that hasn't changed.
package struct ListingNotes: Hashable, Sendable {
  /// What is to be said of it to who asked for a part.
  package var remarks: [ListingRemark] = []
  /// The paths of directories that hold nothing.
  package var emptyDirectories: [RelativePath] = []
  /// What comes last.
  package var last: [KeyPattern] = []
}

/// A directory below the first whose page can't be had: it has another page in the listing's place,
/// it is forbidden, or its server fails.
package struct UnreadableDirectory: Hashable, Sendable {
  /// What the keys below it begin with: its path, with a slash at its end.
  package var prefix: [UInt8]
  /// Its URL, fit for messages; the path below the first page, escaped, where it has none.
  package var url: String
  /// Why, as the end of a sentence that named it.
  package var reason: String
  package var advice: MirrorAdvice?
  /// Whether it only lists again what is listed above it, so that it hides nothing.
  package var isRepetition = false
}

/// Why a listing may lack entries.
public enum PartialReason: Hashable, Sendable, CustomStringConvertible {
  /// Nothing vouched for the end of a page's body.
  case unframed(url: String)
  /// The catalog says that it isn't the whole.
  case window
  /// Nothing says that the list is the whole.
  case unvouched
  /// Nothing says it, and a list of its format has no way to say it.
  case unvouchable
  /// So many entries, from this position on, have no key that can be read, so that nobody knows
  /// which they are.
  case unreadableKeys(count: Int, first: Int)
  /// So many links of a page can't be understood; one of them.
  case unreadLinks(url: String, count: Int, example: String)

  /// A sentence.
  public var description: String {
    switch self {
    case .unframed(let url): "nothing vouches for the end of \(url)."
    case .window: "the catalog says that it isn't complete."
    case .unvouched:
      """
      nothing says that the list is whole: publish it with "complete" or "count", or vouch for it.
      """
    case .unvouchable:
      """
      a list of this format can't say whether it is whole, so what it lacks stays; to have that \
      removed, vouch for it.
      """
    case .unreadableKeys(1, let position): "entry \(position) has no key that can be read."
    case .unreadableKeys(let count, let first):
      "\(count) entries, from entry \(first) on, have no key that can be read."
    case .unreadLinks(let url, 1, let link):
      "a link in \(url) can't be understood: '\(link)'."
    case .unreadLinks(let url, let count, let link):
      "\(count) links in \(url) can't be understood, such as '\(link)'."
    }
  }

  /// Which option of the mirror may help.
  public var advice: MirrorAdvice? {
    switch self {
    case .unvouched, .unvouchable: .vouchForCompleteness
    case .unframed, .window, .unreadableKeys, .unreadLinks: nil
    }
  }
}

/// What is remembered of a page, beside its ETag and Last-Modified, which the fetcher keeps.
package struct PageRecord: Hashable, Sendable, Codable {
  /// What tells the request from the others of the listing: mostly the URL that was asked for.
  package var url: String
  /// The digest of the decompressed body, as hexadecimal digits.
  package var digest: String
  package var next: CatalogRequest?
  /// The pages that belong to the list beside, if there are any.
  private var further: [CatalogRequest]?
  /// What to ask from the next time; on the first page only.
  package var checkpoint: String?
  package var subdirectories: [CatalogPage.Subdirectory]
  /// Whether every entry's version was settled; only then does an equal page prove anything.
  package var isSettled: Bool
  package var format: CatalogFormatName
  /// Whether it is a directory's page that couldn't be had; `nil` in records of earlier versions.
  private var isMissing: Bool?
  /// The URL of the directory above that it lists once more, fit for messages; `nil` for all
  /// others. Nobody goes on from it.
  package var repeats: String?
  /// Until when it may be taken, in seconds since 1970.
  package private(set) var validUntil: Int64?

  /// Whether it is a directory's page that couldn't be had.
  package var isUnreadable: Bool { isMissing ?? false }
  package var parts: [CatalogRequest] { further ?? [] }

  /// The record of a directory whose page couldn't be had.
  init(unreadable url: String, format: CatalogFormatName) {
    self.url = url
    self.format = format
    digest = ""
    subdirectories = []
    isSettled = true
    isMissing = true
  }

  /// What `page` leaves to remember: of its directories, whose keys begin with `prefix`, those that
  /// are in the scope.
  package init(
    url: String, page: CatalogPage, digest: SHA256Digest, within scope: ScopeBoundary = .none,
    prefix: [UInt8] = []
  ) {
    self.url = url
    self.digest = digest.description
    next = page.next
    further = page.parts.isEmpty ? nil : page.parts
    subdirectories = page.subdirectories.filter {
      scope.reason(toLeaveOutDirectory: prefix + $0.name) == nil
    }
    format = page.format
    validUntil = page.header.validUntil
    isSettled =
      page.keyless.count == 0
      && page.entries.allSatisfy { entry in
        if case .entry(_, settled: true) = entry { true } else { false }
      }
  }

  mutating func changeAddresses(_ change: (String) -> String) {
    func changed(_ request: CatalogRequest) -> CatalogRequest {
      var request = request
      request.url = change(request.url)
      request.alternatives = request.alternatives.map(change)
      request.step = request.step.map(change)
      return request
    }
    url = change(url)
    next = next.map(changed)
    further = further?.map(changed)
    for index in subdirectories.indices {
      subdirectories[index].request = changed(subdirectories[index].request)
    }
  }
}

/// The listing that is recorded: the last complete pass without failures, with the same options.
package struct RecordedListing: Hashable, Sendable {
  package var pages: [PageRecord]
  package var revision: CatalogRevision?
  /// How many items it had.
  package var itemCount: Int

  package init(pages: [PageRecord], revision: CatalogRevision? = nil, itemCount: Int = 0) {
    self.pages = pages
    self.revision = revision
    self.itemCount = itemCount
  }
}

extension Listing {
  /// Why absence from the listing means nothing; empty for a complete one.
  package var partialReasons: [PartialReason] {
    switch completeness {
    case .complete, .changes: []
    case .partial(let reasons): reasons
    }
  }
}
