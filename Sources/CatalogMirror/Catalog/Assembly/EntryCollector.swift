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
  /// What is said together of keys that are listed more than once.
  private var joined = JoinedEntries()
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
    let empty = self
    if let changes = verdict.changes {
      listing.completeness = .changes(removed: changes.removed)
      try add(changes.page, prefix: [], page: root)
    } else {
      try add(verdict)
      let twice = duplicates
      if !twice.isEmpty {
        // Only now, since most lists name nothing twice.
        self = empty
        joined = try JoinedEntries(of: twice, in: verdict)
        try add(verdict)
      }
    }
    move(to: &listing)
  }

  private mutating func add(_ verdict: ListingVerdict) throws(CatalogError) {
    for (url, node) in verdict.nodes {
      guard let page = node.readPage else { continue }
      try add(page, prefix: node.prefix, page: url)
    }
  }

  /// The keys that were taken more than once. What is left out counts, too: a list that is wrong in
  /// one place isn't to be trusted in another, and of an item that is listed once inside and once
  /// outside nobody knows which is meant.
  private var duplicates: Set<CatalogKey> {
    let (out, entries) = (leftOutKeys, entries)
    return CollisionCheck.duplicates(of: out.count + entries.count) { place in
      place < out.count ? out[place].bytes[...] : entries[place - out.count].keyBytes
    }
  }

  /// Takes the entries of a page, whose directories lie beneath `prefix`.
  private mutating func add(
    _ page: CatalogPage, prefix: [UInt8], page url: String
  ) throws(CatalogError) {
    let before = UInt32(count) + repeated
    named.beginPage()
    if entries.isEmpty {
      entries.reserveCapacity(page.entries.count)
      positions.reserveCapacity(page.entries.count)
    }
    for (index, entry) in page.entries.enumerated() {
      guard !Task.isCancelled else {
        throw .unfetched(
          url: shown(url), reason: "it was cancelled while the list was put together")
      }
      let local = page.lines.positions.isEmpty ? UInt32(index + 1) : page.lines.positions[index]
      guard let entry = counted(entry, of: page) else { continue }
      remarks.add(entry)
      if !options.scope.isEverywhere, let key = entry.key,
        let reason = entry.reason(toBeLeftOutOf: options.scope)
      {
        leftOut.append(LeftOut(key: key, reason: reason))
        leftOutKeys.append(key)
        continue
      }
      let placed = place(entry, at: before + local)
      if let count = placed.keyBytes?.count, count > options.limits.keyLength {
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

  /// What an entry counts as; `nil` for one that was taken before.
  private mutating func counted(_ entry: ListedEntry, of page: CatalogPage) -> ListedEntry? {
    guard let key = entry.key else { return entry }
    if page.terms.repetition == .ofOlderEntries, named.take(key) { return nil }
    let counted = joined.take(entry, of: key)
    if counted == nil { repeated += 1 }
    return counted
  }

  private mutating func move(to listing: inout Listing) {
    markCollisions()
    listing.known = known
    listing.leftOut = leftOut
    listing.keyless = keyless
    listing.entries = UsableEntries(among: entries)
    for case .unusable(let unusable) in entries { listing.unusable.append(unusable) }
    listing.positions =
      listing.unusable.isEmpty
      ? positions : zip(entries, positions).filter { $0.0.entry != nil }.map(\.1)
    listing.notes.remarks = remarks.remarks(of: listing)
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
    let areAll = entries.allSatisfy(\.isPlaceable)
    let some = areAll ? [] : entries.indices.filter { entries[$0].isPlaceable }
    let check = CollisionCheck(folding: options.folding)
    let problems = check.problems(of: areAll ? entries.count : some.count) { [entries] in
      entries[areAll ? $0 : some[$0]].keyBytes ?? []
    }
    for (index, collision) in problems {
      let place = areAll ? index : some[index]
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
  /// Makes whole keys of the names in it, with the path of its directory in front, and packs it.
  mutating func moveKeys(beneath prefix: [UInt8]) {
    removed = removed.map { $0.moved(beneath: prefix) }
    var directory = EntryPlace.MovedDirectory(prefix)
    for start in stride(from: 0, to: entries.count, by: [ListedEntry].packedTogether) {
      let few = start..<min(start + [ListedEntry].packedTogether, entries.count)
      if !prefix.isEmpty { moveKeys(of: few, beneath: &directory) }
      entries.pack(few)
    }
  }

  private mutating func moveKeys(
    of few: Range<Int>, beneath directory: inout EntryPlace.MovedDirectory
  ) {
    for index in few {
      switch entries[index] {
      case .entry(var entry, let isSettled):
        entry.move(beneath: &directory)
        entries[index] = .entry(entry, settled: isSettled)
      case .unusable(var unusable):
        unusable.key = unusable.key?.moved(beneath: directory.path)
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
