import CatalogMirror
import SyncTransport
import SyncFolder
import SyncText

/// What holds of every listing, whatever the catalog said.
struct ListingCheck {
  let catalog: URLReference
  let limits: CatalogLimits

  func check(_ listing: Listing) throws {
    try require(
      listing.entries.count + listing.unusable.count <= limits.entries, "too many entries pass")
    if case .partial(let reasons) = listing.completeness {
      try require(!reasons.isEmpty, "a partial listing without a reason")
      for reason in reasons { try requirePrintable("\(reason)", "the reason of a partial listing") }
    }
    for entry in listing.entries { try check(entry.listed) }
    for entry in listing.unusable {
      try requirePrintable("\(entry)", "the sentence of an entry")
      try require(
        entry.key != nil || listing.completeness != .complete,
        "complete, and an entry has no key that can be read")
    }
    try checkKeys(listing)
  }

  private func checkKeys(_ listing: Listing) throws {
    let keys = listing.entries.map(\.key) + listing.unusable.compactMap(\.key)
    try require(Set(keys).count == keys.count, "a key twice in one listing")
    try require(
      keys.allSatisfy { $0.bytes.count <= limits.keyLength }, "a key longer than the limit")
    let paths = try listing.entries.map { try RelativePath($0.key) }
    let collisions = CollisionCheck(folding: .none).problems(of: paths)
    try require(collisions.isEmpty, "usable entries collide")
    let known = Set(keys)
    try require(
      listing.unsettled.isSubset(of: known), "something is unsettled that isn't in the listing")
  }

  private func check(_ entry: CatalogEntry) throws {
    try require(entry.size ?? 0 >= 0 && entry.estimatedSize ?? 0 >= 0, "a size below zero")
    try require(entry.modified?.isFinite ?? true, "a date that is no number")
    try require(!entry.locators.isEmpty, "an entry without a locator")
    for locator in entry.locators + [entry.preview?.locator].compactMap({ $0 }) {
      try check(locator: locator)
    }
    if let extra = entry.extra {
      let object = try JSONValue(Array(extra.utf8), in: 0..<extra.utf8.count, nesting: 64)
      try require(object.isObject, "what else the catalog says isn't an object any more")
    }
  }

  private func check(locator: String) throws {
    guard let url = URLReference(locator) else {
      throw Violation("a locator that is no URL: \(locator.debugDescription)")
    }
    try require(url.text == locator, "the locator \(locator) reads as \(url.text)")
    if let problem = LocatorRules(catalog: catalog).problem(with: url) {
      throw Violation("a locator that \(problem) passes: \(locator)")
    }
    guard let address = try? WebAddress(locator) else { return }
    try require(address.scheme == url.scheme, "\(locator) is dialled over \(address.scheme)")
  }
}
