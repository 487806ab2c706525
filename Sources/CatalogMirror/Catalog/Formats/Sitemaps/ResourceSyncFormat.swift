import SyncText

/// ResourceSync (ANSI/NISO Z39.99-2017): a list of resources or an index of such, a list of
/// changes, or what leads to them, a capability list or a source description.
///
/// A list of resources is whole. From a capability list, what has changed is asked for the next
/// time (section 12), if the list of changes reaches back to when the resources were listed; if
/// not, the whole list is read. Dumps aren't read.
package struct ResourceSyncFormat: CatalogFormat {
  package let name = CatalogFormatName.resourceSync
  package let noun = "a document of ResourceSync"

  package func recognises(_ body: CatalogBody) -> Bool {
    SitemapFormat().recognises(body)
      && String(decoding: body.opening, as: UTF8.self).contains(SitemapDocument.terms)
      && String(decoding: body.opening, as: UTF8.self).contains("capability=")
  }

  package func firstRequest(to catalog: URLReference, since checkpoint: String) -> CatalogRequest? {
    guard case .changes(_, let address)? = ResourceSyncStep(checkpoint) else { return nil }
    var request = CatalogRequest(address)
    request.step = checkpoint
    return request
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
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

  /// A document that says where the lists are.
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

  /// One of the lists of an index.
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

extension CatalogFormatName {
  package static let resourceSync = Self("resourcesync")
}
