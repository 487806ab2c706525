package import SyncFetching
import SyncText
import SyncTransport

/// Keeps the parameters of the catalog's own query, which may be secret, out of what is remembered
/// of its pages: addresses of further pages often repeat them.
struct HiddenQuery {
  private let parameters: [String]

  init(of catalog: URLReference) {
    parameters = (catalog.query ?? "").split(separator: "&").map(String.init)
  }

  /// Records of pages with a mark in place of each parameter; no address has such marks.
  func hidden(in pages: [ListingValidators.Page]) -> [ListingValidators.Page] {
    let marks = parameters.indices.map { "{\($0)}" }
    return replacing(Dictionary(zip(parameters, marks), uniquingKeysWith: { $1 }), in: pages)
  }

  /// The same records with the parameters that the catalog has now.
  func shown(in pages: [ListingValidators.Page]) -> [ListingValidators.Page] {
    let marks = parameters.indices.map { "{\($0)}" }
    return replacing(Dictionary(zip(marks, parameters), uniquingKeysWith: { $1 }), in: pages)
  }

  private func replacing(
    _ words: [String: String], in pages: [ListingValidators.Page]
  ) -> [ListingValidators.Page] {
    guard !words.isEmpty else { return pages }
    return pages.map { page in
      var page = page
      page.record.changeAddresses { Self.replacing(words, in: $0) }
      return page
    }
  }

  /// Replaces whole parameters only.
  private static func replacing(_ words: [String: String], in text: String) -> String {
    var result = ""
    var word = ""
    for character in text {
      guard "?&#\n".contains(character) else {
        word.append(character)
        continue
      }
      result += (words[word] ?? word) + String(character)
      word = ""
    }
    return result + (words[word] ?? word)
  }
}

extension CatalogBody {
  /// A body that came with this answer; `nil` when nobody could tell where from.
  init?(_ answer: ByteAnswer, _ asked: CatalogRequest, bytes: [UInt8]) {
    guard let url = URLReference(answer.url) else { return nil }
    self.init(
      url: url, request: asked, mediaType: answer.mediaType, date: answer.date,
      nextLink: answer.links.next, bytes: bytes)
  }
}

extension PieceGate {
  /// A gate for the body that comes with this answer.
  init(_ limits: CatalogLimits, of answer: ByteAnswer) {
    let url = URLReference(answer.url)?.redacted ?? ""
    self.init(limits, of: url, mediaType: answer.mediaType)
  }
}

extension ByteRequest {
  package init(_ asked: CatalogRequest, validatedBy page: ListingValidators.Page? = nil) {
    self.init(url: asked.url)
    method = Method(asked.method)
    for field in asked.fields { fields.add(field.name, field.value) }
    body = asked.body.map { RequestBody(Array($0.utf8)) }
    // A file that is packed comes as it is, and its digest is that of the file.
    acceptsCompression = asked.packing == nil
    etag = page?.etag
    lastModified = page?.lastModified
  }
}

extension ByteRequest.Method {
  fileprivate init(_ method: CatalogRequest.Method) {
    switch method {
    case .get: self = .get
    case .propfind: self = .propfind
    case .report: self = .report
    }
  }
}
