/// How the pages of a list hang together.
public enum RecordPaging: Sendable, Hashable {
  /// By `Link: rel="next"` (RFC 8288), if by anything.
  case links
  /// By the address that stands at this path of a body, absolute or not, or in an object there
  /// under `href`; where nothing stands, or `null`, there is no next page, unless `Link` says so.
  case next(PayloadPath)
  /// By a text or a number at this path of a body, which is a parameter of the next request. Where
  /// nothing stands, `null`, or an empty text, there is no next page.
  case cursor(PayloadPath, parameter: String)
  /// By the key of a page's last element, its `id`, `_id` or `uuid`, which is a parameter of the
  /// next request, until a body says that there is no more (`has_more`), or has no elements.
  case after(parameter: String)
  /// By a parameter that says how many elements came before, until a page has none. Elements that
  /// come or go meanwhile shift the others over the pages' ends, so that some are missed: what came
  /// is all there is only if each page tells one and the same total, and as many elements came,
  /// each with a key (`id`, `_id` or `uuid`) that no other has.
  case offset(parameter: String)
  /// As ``offset(parameter:)``, by a parameter that counts the pages, from 1 or from what the
  /// address says.
  case page(parameter: String)

  /// Where a body tells of the next page.
  var path: PayloadPath? {
    switch self {
    case .next(let path), .cursor(let path, _): path
    case .links, .after, .offset, .page: nil
    }
  }

  /// What looks for that in a body.
  var scan: NextScan? {
    switch self {
    case .next(let path): NextScan(path, takesLinks: true)
    case .cursor(let path, _): NextScan(path)
    case .links, .after, .offset, .page: nil
    }
  }

  /// Whether elements have to be looked at to know the next page.
  var isCounted: Bool {
    switch self {
    case .after, .offset, .page: true
    case .links, .next, .cursor: false
    }
  }

  /// Whether elements that come or go meanwhile may hide others.
  var slides: Bool {
    switch self {
    case .offset, .page: true
    case .links, .next, .cursor, .after: false
    }
  }
}

/// How some services page their lists, by their own documentation. Where such a list names no next
/// page, there is none.
public struct PagingPreset: Sendable, Hashable {
  /// The name under which it is found.
  public let name: String
  /// Where the elements stand; `nil` where that differs from list to list.
  public let items: PayloadPath?
  /// How the pages hang together.
  public let paging: RecordPaging

  private init(_ name: String, items: String?, _ paging: RecordPaging) {
    self.name = name
    self.items = items.flatMap { PayloadPath($0) }
    self.paging = paging
  }

  private static func path(_ names: String...) -> PayloadPath { PayloadPath(plain: names) }

  /// All of them.
  ///
  /// - `odata`: OData JSON Format 4.01, section 4.6.5: `value`, `@odata.nextLink`
  /// - `hal`: the Internet draft "JSON Hypertext Application Language": `_links.next.href`
  /// - `json-api`: JSON:API 1.1, "Pagination" and "Links": `data`, `links.next`, an object with
  ///   `href`, too
  /// - `drf`: Django REST framework, "Pagination": `results`, `next`
  /// - `github`: GitHub's REST API, "Using pagination": `Link`
  /// - `stripe`: Stripe's API, "Pagination": `data`, `has_more`, `starting_after`
  /// - `kubernetes`: "Kubernetes API Concepts", "Retrieving large results sets in chunks": `items`,
  ///   `metadata.continue`
  public static let all: [PagingPreset] = [
    PagingPreset("odata", items: "value", .next(path("@odata.nextLink"))),
    PagingPreset("hal", items: nil, .next(path("_links", "next", "href"))),
    PagingPreset("json-api", items: "data", .next(path("links", "next"))),
    PagingPreset("drf", items: "results", .next(path("next"))),
    PagingPreset("github", items: nil, .links),
    PagingPreset("stripe", items: "data", .after(parameter: "starting_after")),
    PagingPreset(
      "kubernetes", items: "items", .cursor(path("metadata", "continue"), parameter: "continue")),
  ]

  /// The one of this name; `nil` if there is none.
  public static func named(_ name: String) -> PagingPreset? { all.first { $0.name == name } }
}
