import CatalogMirror
import SyncText

/// Looks for formats that read what stands at an address once they are named.
struct CandidateSearch {
  private let catalog: CatalogSource

  /// A search at a catalog's address, which can't be read as its options say.
  init(_ catalog: CatalogSource) {
    self.catalog = catalog
  }

  private var named: CatalogFormatName? { catalog.options.format }

  /// What reads the first page once it is named: what is there, or what another first request
  /// gives. Empty after an error that another format has no part in: a name would only lead there
  /// again.
  func candidates(after error: CatalogError) async throws -> [SourceDiagnosis.Candidate] {
    guard case .unreadable(_, let expected, let found) = error,
      expected == .anyFormat || found.isMatterOfFormat(expected)
    else { return [] }
    var bodies: [CatalogRequest: CatalogBody?] = [:]
    var candidates: [SourceDiagnosis.Candidate] = []
    for format in catalog.formats.formats.sorted(by: Self.tellsMore) where format.name != named {
      let request = format.firstRequest(to: catalog.root)
      if bodies[request] == nil {
        bodies[request] = .some(
          try await catalog.body(of: request, atMost: SourceDoctor.mostTried))
      }
      guard let body = bodies[request] ?? nil, let candidate = candidate(format, request, body),
        !candidates.contains(where: { $0.format == candidate.format })
      else { continue }
      candidates.append(candidate)
    }
    return candidates
  }

  /// A format that reads something of a page that can be mirrored; `nil` for any other.
  private func candidate(
    _ format: any CatalogFormat, _ request: CatalogRequest, _ body: CatalogBody
  ) -> SourceDiagnosis.Candidate? {
    let isTriedAlready =
      named == nil && request == CatalogRequest(catalog.root.text)
      && catalog.formats.name(of: body) == format.name
    guard !isTriedAlready, format.name != .listing || !body.asksForAPassword,
      let page = try? catalog.formats.decode(
        body, as: format.name, limits: catalog.options.limits)
    else { return nil }
    let usable = page.entries.count { if case .entry = $0 { true } else { false } }
    guard usable + page.lines.known.count + page.subdirectories.count + page.parts.count > 0 else {
      return nil
    }
    return SourceDiagnosis.Candidate(
      format: format.name.rawValue, noun: format.noun, items: usable,
      directories: page.subdirectories.count)
  }

  /// What is asked in a way of its own tells more than what fits a page that came anyway, and links
  /// on a page tell least.
  private static func tellsMore(_ left: any CatalogFormat, _ right: any CatalogFormat) -> Bool {
    rank(of: left) < rank(of: right)
  }

  private static func rank(of format: any CatalogFormat) -> Int {
    let here = URLReference("https://example.org/")
    switch format.name {
    case .listing: return 3
    case .mapping: return 2
    default:
      return here.map { format.firstRequest(to: $0) == CatalogRequest($0.text) } ?? true ? 1 : 0
    }
  }
}

extension CatalogBody {
  /// Whether the page has a field for a password: it stands in the place of what was asked for.
  fileprivate var asksForAPassword: Bool {
    let text = String(decoding: bytes.prefix(1 << 20), as: UTF8.self).lowercased()
    return text.contains("type=\"password\"") || text.contains("type='password'")
      || text.contains("type=password")
  }
}
