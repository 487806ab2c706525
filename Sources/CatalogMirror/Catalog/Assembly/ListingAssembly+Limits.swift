import SyncText

extension ListingAssembly {
  /// What forbids that a page is asked for: it was already, there are too many, or too many in a
  /// row list nothing.
  func check(_ url: String, _ place: PageNode) -> CatalogError? {
    let shown = URLReference(place.request.url)?.redacted ?? root.redacted
    let limits = options.limits
    guard nodes[url] == nil else { return .pageLoop(url: shown) }
    guard place.depth <= limits.depth else {
      return .limit(url: shown, .levels, most: limits.depth)
    }
    guard nodes.count < limits.pages else {
      return .limit(url: root.redacted, .pages, most: limits.pages)
    }
    return place.emptyBefore < limits.emptyPages
      ? nil : .limit(url: shown, .emptyPages, most: limits.emptyPages)
  }
}
