import SyncText

extension ListingAssembly {
  /// What forbids that a page is asked for: it was already, or there are too many.
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
    return nil
  }
}
