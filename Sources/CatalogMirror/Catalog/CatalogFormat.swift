import SyncText

/// A way to write a catalog: how to recognise it, and how to read it.
package struct CatalogFormat: Sendable {
  /// The name by which a person asks for it.
  package enum Name: String, Hashable, Sendable, Codable, CaseIterable {
    /// Our own, in its three forms.
    case catalog
    /// nginx's directory listing, `autoindex on`.
    case nginxHTML = "nginx-html"
    /// nginx's directory listing, `autoindex_format json`.
    case nginxJSON = "nginx-json"
    /// A JSON object of key → URL or key → entry. Only by name: nothing in it tells it from the
    /// error message of some API.
    case mapping
    /// The output of `sha256sum`.
    case sha256sums

    /// Whether it has a way to say that nothing is missing.
    var canSayWhetherItIsWhole: Bool {
      switch self {
      case .catalog, .nginxHTML, .nginxJSON: true
      case .mapping, .sha256sums: false
      }
    }
  }

  /// Its name.
  package let name: Name
  /// Whether the media type and the first bytes are this format's. Pure and quick.
  let recognise: @Sendable (CatalogBody) -> Bool
  /// Reads a page. Throws when the body isn't a whole page of this format.
  let decode: @Sendable (CatalogBody, CatalogLimits) throws(CatalogError) -> CatalogPage
}

/// The formats that are known.
package struct CatalogFormats: Sendable {
  private let formats: [CatalogFormat]

  /// These formats; the first that recognises a body reads it.
  package init(_ formats: [CatalogFormat]) {
    self.formats = formats
  }

  /// All formats of this package.
  package static let standard = CatalogFormats([
    .nginxHTML, .nginxJSON, .catalog, .sha256sums, .mapping,
  ])

  /// Reads a page.
  /// - Parameter format: the format that was named, or that the first page had; `nil` chooses by
  ///   media type and content.
  /// - Throws: ``CatalogError/unreadable(url:expected:found:)`` when nothing recognises the body,
  ///   and what the format's decoder throws.
  package func decode(
    _ body: CatalogBody, as format: CatalogFormat.Name? = nil, limits: CatalogLimits = .init()
  ) throws(CatalogError) -> CatalogPage {
    guard body.bytes.count <= limits.bytes else {
      throw .limit(url: body.url.redacted, .bytes, most: limits.bytes)
    }
    let candidates = formats.filter { format == nil || $0.name == format }
    let expected = format.map { CatalogError.Expectation.format($0.rawValue) } ?? .anyFormat
    guard !body.opening.isEmpty else { throw body.unreadable(expected: expected) }
    let isChosen: (CatalogFormat) -> Bool = { format != nil || $0.recognise(body) }
    guard let chosen = candidates.first(where: isChosen) else {
      throw body.unreadable(expected: expected)
    }
    var page = try decode(body, by: chosen, limits)
    page.next = try next(of: page, in: body)
    return page
  }

  /// Reads a page by a format; where it is another one's, the error says which.
  private func decode(
    _ body: CatalogBody, by chosen: CatalogFormat, _ limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    do throws(CatalogError) {
      return try chosen.decode(body, limits)
    } catch {
      guard case .unreadable(let url, let expected, let found) = error, found.isOfAll,
        let other = formats.first(where: { $0.name != chosen.name && $0.recognise(body) })
      else { throw error }
      throw .unreadable(url: url, expected: expected, found: .format(other.name.rawValue))
    }
  }

  /// The name of the format that the media type and the first bytes tell.
  func name(of body: CatalogBody) -> CatalogFormat.Name? {
    formats.first { $0.recognise(body) }?.name
  }

  /// A format's own link goes before the header `Link`.
  private func next(of page: CatalogPage, in body: CatalogBody) throws(CatalogError) -> String? {
    guard let text = page.next ?? body.nextLink else { return nil }
    guard let reference = URLReference(text) else {
      throw .badNext(url: body.url.redacted, problem: .notAURL)
    }
    let next = reference.resolved(against: body.url)
    do throws(LocatorProblem) {
      try LocatorRules(catalog: body.url).checkNext(next)
    } catch {
      throw .badNext(url: body.url.redacted, problem: error)
    }
    return next.text
  }
}
