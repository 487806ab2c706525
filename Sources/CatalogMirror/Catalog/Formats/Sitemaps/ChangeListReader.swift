import SyncText

/// Reads a list of changes (Z39.99, section 12), or an index of such, from a time on.
struct ChangeListReader {
  let name: CatalogFormatName
  let body: CatalogBody

  /// The changes since the time that was asked from.
  /// - Throws: ``CatalogError/unreadable(url:expected:found:)`` where they don't reach back to it,
  ///   or a time can't be read: the whole list has to be.
  func page(
    _ head: SitemapDocument.Head, listing places: [SitemapPlace]
  ) throws(CatalogError) -> CatalogPage {
    guard case .changes(let since, let address)? = ResourceSyncStep(body.request.step),
      let start = CivilTime.rfc3339(since), URLReference(address)?.authority == body.url.authority
    else { throw unreadable }
    var page = CatalogPage(format: name, claim: .changes)
    if head.isIndex {
      try lead(head, places, start, since, into: &page)
    } else {
      try checkReach(head.from, start)
      let last = try read(places, from: start, into: &page)
      let time = head.until ?? last ?? since
      let isLater = CivilTime.rfc3339(time).map { $0 >= start } ?? false
      page.checkpoint =
        ResourceSyncStep.changes(since: isLater ? time : since, at: address).text
    }
    return page
  }

  private var unreadable: CatalogError { body.unreadable(expected: .format(name)) }

  /// An index names lists with the times that they are of; those that end before are left out.
  private func lead(
    _ head: SitemapDocument.Head, _ places: [SitemapPlace], _ start: Double, _ since: String,
    into page: inout CatalogPage
  ) throws(CatalogError) {
    guard let first = places.first else { throw unreadable }
    try checkReach(head.from ?? first.from, start)
    // The last list counts: it has to be the newest.
    let times = places.compactMap { $0.from.flatMap(CivilTime.rfc3339) }
    guard zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else { throw unreadable }
    for place in places {
      guard let url = place.url else { throw unreadable }
      if let until = place.until.flatMap(CivilTime.rfc3339), until < start { continue }
      var request = CatalogRequest(url)
      // A later list begins where the one before ends.
      let from = place.from.flatMap(CivilTime.rfc3339).map { $0 > start } ?? false
      request.step =
        ResourceSyncStep.changes(
          since: from ? place.from ?? since : since, at: changesAddress
        ).text
      page.parts.append(request)
    }
    page.checkpoint = body.request.step
  }

  private var changesAddress: String {
    if case .changes(_, let address)? = ResourceSyncStep(body.request.step) { return address }
    return body.url.text
  }

  private func checkReach(_ from: String?, _ start: Double) throws(CatalogError) {
    guard let from = from.flatMap(CivilTime.rfc3339), from <= start else { throw unreadable }
  }

  /// Takes of each resource its last change, whichever way the list is sorted; gives the time of
  /// the last of all.
  private func read(
    _ listed: [SitemapPlace], from start: Double, into page: inout CatalogPage
  ) throws(CatalogError) -> String? {
    var last: (time: Double, text: String)?
    var places: [CatalogKey: (time: Double, place: SitemapPlace)] = [:]
    var order: [CatalogKey] = []
    for place in listed {
      guard let text = place.changeDate, let time = CivilTime.rfc3339(text),
        let key = place.key(from: body.url)
      else { throw unreadable }
      if last.map({ $0.time <= time }) ?? true { last = (time, text) }
      guard time >= start, places[key].map({ $0.time <= time }) ?? true else { continue }
      if places.updateValue((time, place), forKey: key) == nil { order.append(key) }
    }
    for (index, key) in order.enumerated() {
      guard let (_, place) = places[key] else { continue }
      switch place.change {
      // One that ends with a slash was never held, and would stand for a directory.
      case "deleted" where key.bytes.last == UInt8(ascii: "/"): break
      case "deleted": page.removed.append(key)
      case "created", "updated":
        page.take(place.listed(body, from: body.url, index + 1), at: index + 1)
      default: throw unreadable
      }
    }
    return last?.text
  }
}
