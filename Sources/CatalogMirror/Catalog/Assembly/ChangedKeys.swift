/// What the pages of a list of changes say together: of each key, what the last of them says.
struct ChangedKeys {
  private var listed: [ListedEntry?] = []
  /// The place of each key that was named last as changed.
  private var places: [CatalogKey: Int] = [:]
  private var named = NamedBefore()
  private var keyless = KeylessEntries()
  private var count = 0
  private var counts: CatalogPage
  /// The keys of what is gone; one that ends with a slash stands for everything below it.
  private(set) var removed: Set<CatalogKey> = []

  init(format: CatalogFormatName) {
    counts = CatalogPage(format: format, claim: .changes)
  }

  /// Takes the next page. What it removes comes before what it names as changed.
  mutating func take(_ page: CatalogPage) {
    named.beginPage()
    let isOlder = page.terms.repetition == .ofOlderEntries
    for key in page.removed {
      if named.take(key), isOlder { continue }
      remove(key)
    }
    for entry in page.entries {
      guard let key = entry.key else { continue }
      if named.take(key), isOlder { continue }
      change(to: entry, key)
    }
    keyless.add(page.keyless, after: count)
    count += page.count
    counts.notes.add(page.notes)
  }

  var page: CatalogPage {
    var page = counts
    page.entries = listed.compactMap { $0 }
    page.add(keyless)
    return page
  }

  private mutating func remove(_ key: CatalogKey) {
    if let place = places.removeValue(forKey: key) { listed[place] = nil }
    if key.bytes.last == UInt8(ascii: "/") {
      for (below, place) in places where below.bytes.starts(with: key.bytes) {
        places[below] = nil
        listed[place] = nil
      }
    }
    removed.insert(key)
  }

  private mutating func change(to entry: ListedEntry, _ key: CatalogKey) {
    if let place = places.updateValue(listed.count, forKey: key) { listed[place] = nil }
    removed.remove(key)
    listed.append(entry)
  }
}
