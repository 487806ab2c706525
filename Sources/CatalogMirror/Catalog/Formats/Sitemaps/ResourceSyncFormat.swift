import SyncText

/// ResourceSync (ANSI/NISO Z39.99-2017): a list of resources or an index of such, a list of
/// changes, or what leads to them, a capability list or a source description.
///
/// A list of resources is whole. From a capability list, what has changed is asked for the next
/// time (section 12), if the list of changes reaches back to when the resources were listed; if
/// not, the whole list is read. Dumps aren't read.
struct ResourceSyncFormat: CatalogFormat {
  let name = CatalogFormatName.resourceSync
  let noun = "a document of ResourceSync"

  func recognises(_ body: CatalogBody) -> Bool {
    SitemapFormat().recognises(body)
      && String(decoding: body.opening, as: UTF8.self).contains(SitemapDocument.terms)
      && String(decoding: body.opening, as: UTF8.self).contains("capability=")
  }

  func firstRequest(to catalog: URLReference, since checkpoint: String) -> CatalogRequest? {
    guard case .changes(_, let address)? = ResourceSyncStep(checkpoint) else { return nil }
    var request = CatalogRequest(address)
    request.step = checkpoint
    return request
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let document = try SitemapDocument(body, expected: name)
    var page = CatalogPage(format: name, claim: .whole)
    var places: [SitemapPlace] = []
    let head = try document.read(limits) { head, place throws(CatalogError) in
      switch head.capability {
      case "resourcelist" where head.isIndex: page.parts.append(try part(place, head, body))
      case "resourcelist": page.take(place, of: body)
      case "description", "capabilitylist", "changelist": places.append(place)
      default: throw body.unreadable(expected: .format(name))
      }
    }
    switch head.capability {
    case "description": return try leads(to: "capabilitylist", places, body)
    case "capabilitylist": return try leads(to: "resourcelist", places, body)
    case "changelist":
      return try ChangeListReader(name: name, body: body).page(head, listing: places)
    case "resourcelist":
      if !head.isIndex { page.checkpoint = checkpoint(after: head, body) }
      return page
    default: throw body.unreadable(expected: .format(name))
    }
  }

  private func leads(
    to capability: String, _ places: [SitemapPlace], _ body: CatalogBody
  ) throws(CatalogError) -> CatalogPage {
    var page = CatalogPage(format: name, claim: .whole)
    let lists = places.filter { $0.capability == capability }.compactMap(\.url)
    // Without any, it would be a list of nothing.
    guard !lists.isEmpty else { throw body.unreadable(expected: .format(name)) }
    let changes = places.filter { $0.capability == "changelist" }.compactMap(\.url)
    page.parts = lists.map { CatalogRequest($0) }
    if lists.count == 1, changes.count == 1,
      let address = URLReference(changes[0])?.resolved(against: body.url).text
    {
      page.parts[0].step = ResourceSyncStep.list(changes: address).text
    }
    return page
  }

  private func part(
    _ place: SitemapPlace, _ head: SitemapDocument.Head, _ body: CatalogBody
  ) throws(CatalogError) -> CatalogRequest {
    guard let url = place.url else { throw body.unreadable(expected: .format(name)) }
    var request = CatalogRequest(url)
    if case .list(let changes)? = ResourceSyncStep(body.request.step), let time = head.at {
      request.step = ResourceSyncStep.part(at: time, changes: changes).text
    }
    return request
  }

  private func checkpoint(after head: SitemapDocument.Head, _ body: CatalogBody) -> String? {
    switch ResourceSyncStep(body.request.step) {
    case .list(let changes): Self.checkpoint(head.at, changes, body)
    case .part(let time, let changes): Self.checkpoint(time, changes, body)
    case .changes, nil: nil
    }
  }

  /// Keys of another host bear its name: only lists of one host name the same things alike.
  private static func checkpoint(
    _ time: String?, _ changes: String, _ body: CatalogBody
  ) -> String? {
    guard let time, CivilTime.rfc3339(time) != nil,
      URLReference(changes)?.authority == body.url.authority
    else { return nil }
    return ResourceSyncStep.changes(since: time, at: changes).text
  }
}

/// What a request for a document of ResourceSync is for, as a request's step and a checkpoint keep
/// it.
enum ResourceSyncStep {
  /// A list of resources; its changes after it are listed at this address.
  case list(changes: String)
  /// One of the lists of an index which was whole at this time.
  case part(at: String, changes: String)
  /// What has changed since this time, at this address.
  case changes(since: String, at: String)

  init?(_ text: String?) {
    let words = (text ?? "").split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("list", 2): self = .list(changes: words[1])
    case ("part", 3): self = .part(at: words[1], changes: words[2])
    case ("since", 3): self = .changes(since: words[1], at: words[2])
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .list(let changes): "list \(changes)"
    case .part(let time, let changes): "part \(time) \(changes)"
    case .changes(let time, let address): "since \(time) \(address)"
    }
  }
}

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
