import SyncText

/// The formats by which ``PageFetch`` reads what it has fetched.
package struct CatalogFormats: Sendable {
  /// In the order in which they are asked whether a body is theirs.
  package let formats: [any CatalogFormat]
  /// Whether a part of a Debian repository was chosen, which no other format has.
  private(set) var choosesParts = false
  /// How the items of feeds are named; with one, what is no feed is an error. Default: `nil`.
  var keyTemplate: KeyTemplate?

  /// These formats; the first that recognises a body reads it.
  package init(_ formats: [any CatalogFormat]) {
    self.formats = formats
  }

  /// These formats, and then the others; of two of one name, the first one counts.
  package func preceded(by first: [any CatalogFormat]) -> CatalogFormats {
    CatalogFormats(first + formats)
  }

  /// The same, where a part of a Debian repository was chosen: what isn't one is an error.
  package func choosingParts() -> CatalogFormats {
    var formats = self
    formats.choosesParts = true
    return formats
  }

  package subscript(name name: CatalogFormatName) -> (any CatalogFormat)? {
    formats.first { $0.name == name }
  }

  /// Reads a page.
  /// - Parameter format: the format that was named, or that the first page had; `nil` chooses by
  ///   media type and content.
  /// - Throws: ``CatalogError/unreadable(url:expected:found:)`` when nothing recognises the body,
  ///   and what the format's decoder throws.
  package func decode(
    _ body: CatalogBody, as format: CatalogFormatName? = nil, limits: CatalogLimits = .init()
  ) throws(CatalogError) -> CatalogPage {
    guard body.bytes.count <= limits.bytes else {
      throw .limit(url: body.url.redacted, .bytes, most: limits.bytes)
    }
    try body.checkPieces(limits)
    let expected = format.map { CatalogError.Expectation.format($0.rawValue) } ?? .anyFormat
    // Where the page before says that this one is empty, it is.
    guard !body.opening.isEmpty || body.request.sha256 != nil else {
      throw body.unreadable(expected: expected)
    }
    guard let chosen = choose(for: body, named: format) else {
      throw body.unreadable(expected: expected)
    }
    guard !choosesParts || chosen.name == .debian else {
      throw body.unreadable(expected: .format(.debian), found: .undivided(chosen.name.rawValue))
    }
    guard keyTemplate == nil || [.rss, .atom, .opds].contains(chosen.name) else {
      throw body.unreadable(expected: .feed, found: .ownNames(chosen.name.rawValue))
    }
    var page = try decode(body, by: chosen, limits)
    page.dropQueries()
    if let keyTemplate { page.nameItems(by: keyTemplate) }
    page.next = try next(of: page, in: body)
    page.parts = try page.parts.map { part throws(CatalogError) in
      try allowed(part, from: body)
    }
    // One that is no URL can't be fetched, as any directory that can't be read.
    for directory in page.subdirectories where URLReference(directory.request.url) != nil {
      _ = try allowed(directory.request, from: body)
    }
    return page
  }

  private func choose(
    for body: CatalogBody, named name: CatalogFormatName?
  ) -> (any CatalogFormat)? {
    if let name { return self[name: name] }
    return formats.first { $0.recognises(body) }
  }

  /// Reads a page by a format; where it is another one's, the error says which.
  private func decode(
    _ body: CatalogBody, by chosen: any CatalogFormat, _ limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    do throws(CatalogError) {
      let page = try chosen.page(body, within: limits)
      // A reading that is cancelled may have left something out.
      try body.checkGoesOn()
      return page
    } catch {
      try body.checkGoesOn()
      guard case .unreadable(let url, let expected, let found) = error, found.isOfAll,
        let other = name(of: body), other != chosen.name
      else { throw error }
      throw .unreadable(url: url, expected: expected, found: .format(other.rawValue))
    }
  }

  /// The name of the format that the media type and the first bytes tell.
  package func name(of body: CatalogBody) -> CatalogFormatName? {
    formats.first { $0.recognises(body) }?.name
  }

  /// A format's own link goes before the header `Link`.
  private func next(
    of page: CatalogPage, in body: CatalogBody
  ) throws(CatalogError) -> CatalogRequest? {
    guard let next = page.next ?? body.nextLink.map({ CatalogRequest($0) }) else { return nil }
    return try allowed(next, from: body)
  }

  /// A request for another page, with its address absolute and allowed by ``LocatorRules``.
  private func allowed(
    _ request: CatalogRequest, from body: CatalogBody
  ) throws(CatalogError) -> CatalogRequest {
    var request = request
    request.url = try allowed(request.url, from: body)
    request.alternatives = try request.alternatives.map { url throws(CatalogError) in
      try allowed(url, from: body)
    }
    return request
  }

  private func allowed(_ text: String, from body: CatalogBody) throws(CatalogError) -> String {
    guard let reference = URLReference(text) else {
      throw .badNext(url: body.url.redacted, problem: .notAURL)
    }
    let url = reference.resolved(against: body.url)
    if let problem = LocatorRules(catalog: body.url).problem(withNext: url) {
      throw .badNext(url: body.url.redacted, problem: problem)
    }
    return url.text
  }
}
