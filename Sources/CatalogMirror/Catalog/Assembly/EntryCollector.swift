import SyncFolder
import SyncText

/// Gathers the entries of all pages, checks their keys, and sorts out what can't be used.
struct EntryCollector {
  private let options: ListingAssembly.Options
  private var entries: [MirrorItem] = []
  /// The position of each in the listing, counted from 1.
  private var positions: [UInt32] = []
  private var known: [KnownLine] = []
  private var leftOut: [LeftOut] = []
  private var leftOutKeys: [CatalogKey] = []
  /// Entries of pages that may repeat them, without their positions.
  private var repeatable: [CatalogKey: MirrorItem] = [:]
  private var repeated: UInt32 = 0
  private var keyless = KeylessEntries()
  private var remarks: RemarkCollector
  /// The keys of pages whose word counts more than that of later ones.
  private var named = NamedBefore()

  init(_ options: ListingAssembly.Options) {
    self.options = options
    remarks = RemarkCollector(options)
  }

  /// How many there are, usable or not, known or not, in the scope or not.
  var count: Int { entries.count + known.count + keyless.count + leftOutKeys.count }

  /// Takes the entries of all pages that a verdict has put in order, and moves them to the listing.
  mutating func collect(
    _ verdict: ListingVerdict, from root: String, into listing: inout Listing
  ) throws(CatalogError) {
    if let changes = verdict.changes {
      listing.completeness = .changes(removed: changes.removed)
      try add(changes.page, prefix: [], page: root)
    } else {
      for (url, node) in verdict.nodes {
        guard node.record?.repeats == nil, case .page(let page, _) = node.state else { continue }
        try add(page, prefix: node.prefix, page: url)
      }
    }
    try move(to: &listing)
  }

  /// Takes the entries of a page, whose directories lie beneath `prefix`.
  private mutating func add(
    _ page: CatalogPage, prefix: [UInt8], page url: String
  ) throws(CatalogError) {
    let before = UInt32(count) + repeated
    named.beginPage()
    for (index, entry) in page.entries.enumerated() {
      guard !Task.isCancelled else {
        throw .unfetched(
          url: shown(url), reason: "it was cancelled while the list was put together")
      }
      let local = page.lines.positions.isEmpty ? UInt32(index + 1) : page.lines.positions[index]
      if isPassedOver(entry, of: page) { continue }
      remarks.add(entry)
      if let key = entry.key, let reason = entry.reason(toBeLeftOutOf: options.scope) {
        leftOut.append(LeftOut(key: key, reason: reason))
        leftOutKeys.append(key)
        continue
      }
      let placed = place(entry, at: before + local)
      if let key = placed.id.key, key.bytes.count > options.limits.keyLength {
        throw .limit(url: shown(url), .keyBytes, most: options.limits.keyLength)
      }
      entries.append(placed)
      positions.append(before + local)
    }
    for directory in page.subdirectories {
      let path = prefix + directory.name
      guard let reason = options.scope.reason(toLeaveOutDirectory: path) else { continue }
      leftOut.append(
        LeftOut(key: CatalogKey(bytes: path + [UInt8(ascii: "/")]), reason: reason))
    }
    remarks.add(page)
    keyless.add(page.keyless, after: Int(before))
    if known.isEmpty, before == 0 {
      known = page.lines.known
    } else {
      known += page.lines.known.lazy.map {
        KnownLine(place: $0.place, position: before + $0.position)
      }
    }
  }

  private func shown(_ url: String) -> String { URLReference(url)?.redacted ?? "" }

  /// Whether an entry is one that a page may repeat, and was taken before.
  private mutating func isPassedOver(_ entry: ListedEntry, of page: CatalogPage) -> Bool {
    switch page.terms.repetition {
    case .refused: false
    case .ofEqualEntries: isRepeated(entry)
    case .ofOlderEntries: entry.key.map { named.take($0) } ?? false
    }
  }

  /// Whether an equal entry was taken before. Where only the key is the same, both are taken, and
  /// the listing is an error.
  private mutating func isRepeated(_ listed: ListedEntry) -> Bool {
    guard let key = listed.key else { return false }
    let entry = place(listed, at: 0)
    guard let before = repeatable.updateValue(entry, forKey: key), before == entry else {
      return false
    }
    repeated += 1
    return true
  }

  private mutating func move(to listing: inout Listing) throws(CatalogError) {
    try refuseDuplicates()
    markCollisions()
    listing.known = known
    listing.leftOut = leftOut
    listing.keyless = keyless
    listing.entries.reserveCapacity(entries.count)
    listing.positions.reserveCapacity(entries.count)
    for (entry, position) in zip(entries, positions) {
      switch entry {
      case .entry(let entry, let isSettled):
        listing.entries.append(entry)
        listing.positions.append(position)
        if !isSettled { listing.unsettled.insert(entry.key) }
      case .unusable(let unusable):
        listing.unusable.append(unusable)
      }
    }
    listing.notes.remarks = remarks.remarks(of: listing)
  }

  /// What is left out counts, too: a list that is wrong in one place isn't to be trusted in
  /// another, and of an item that is listed once inside and once outside nobody knows which is
  /// meant.
  private func refuseDuplicates() throws(CatalogError) {
    let keys = leftOutKeys + entries.lazy.compactMap { $0.id.key }
    if let key = CollisionCheck.firstDuplicate(in: keys) { throw .duplicateKey(key) }
  }

  private func place(_ entry: ListedEntry, at position: UInt32) -> MirrorItem {
    switch entry {
    case .entry(let entry, let isSettled):
      return MirrorItem(entry, isSettled: isSettled, at: Int(position))
    case .unusable(var unusable):
      unusable.position = Int(position)
      return .unusable(unusable)
    }
  }

  /// An entry that can't be used for another reason counts as present, so it collides as well.
  private mutating func markCollisions() {
    var paths: [RelativePath] = []
    var places: [UInt32] = []
    for index in entries.indices {
      guard let path = entries[index].path else { continue }
      paths.append(path)
      places.append(UInt32(index))
    }
    for (index, collision) in CollisionCheck(folding: options.folding).problems(of: paths) {
      let place = Int(places[index])
      guard case .entry(let entry, _) = entries[place] else { continue }
      entries[place] = .unusable(
        UnusableEntry(
          position: Int(positions[place]), key: entry.key, problem: .collision(collision)))
    }
  }
}

extension CatalogKey {
  /// The whole key: that of its directory, and its own.
  func moved(beneath prefix: [UInt8]) -> CatalogKey {
    prefix.isEmpty ? self : CatalogKey(bytes: prefix + bytes)
  }
}

extension CatalogPage {
  /// Makes whole keys of the names in it: with the path of its directory in front.
  mutating func moveKeys(beneath prefix: [UInt8]) {
    guard !prefix.isEmpty else { return }
    removed = removed.map { $0.moved(beneath: prefix) }
    var directory = EntryPlace.MovedDirectory(prefix)
    for index in entries.indices {
      switch entries[index] {
      case .entry(var entry, let isSettled):
        entry.move(beneath: &directory)
        entries[index] = .entry(entry, settled: isSettled)
      case .unusable(var unusable):
        unusable.key = unusable.key?.moved(beneath: prefix)
        entries[index] = .unusable(unusable)
      }
    }
  }
}

extension ListedEntry {
  fileprivate func reason(toBeLeftOutOf scope: ScopeBoundary) -> LeftOutReason? {
    switch self {
    case .entry(let entry, _): scope.reason(toLeaveOut: entry)
    case .unusable(let unusable): unusable.key.flatMap { scope.reason(toLeaveOut: $0) }
    }
  }
}

/// The keys that the pages of a listing have named so far, page by page: where the newest page
/// comes first, what an earlier one says of a key counts.
struct NamedBefore {
  private var earlier: Set<CatalogKey> = []
  private var onThisPage: Set<CatalogKey> = []

  mutating func beginPage() {
    // Into the larger set, and never a copy of it: there may be a hundred thousand pages.
    earlier.formUnion(onThisPage)
    onThisPage.removeAll(keepingCapacity: true)
  }

  /// Takes a key that the page names; says whether an earlier page named it.
  mutating func take(_ key: CatalogKey) -> Bool {
    onThisPage.insert(key)
    return earlier.contains(key)
  }
}
