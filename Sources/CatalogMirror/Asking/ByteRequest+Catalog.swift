import SyncFetching
import SyncText
import SyncTransport

extension CatalogBody {
  /// A body that came with this answer; `nil` when nobody could tell where from.
  init?(_ answer: ByteAnswer, _ asked: CatalogRequest, bytes: [UInt8]) {
    guard let url = URLReference(answer.url) else { return nil }
    self.init(
      url: url, request: asked, mediaType: answer.mediaType, date: answer.date,
      nextLink: answer.nextLink, bytes: bytes)
  }
}

extension ByteRequest {
  init(_ asked: CatalogRequest, validatedBy page: ListingValidators.Page? = nil) {
    self.init(url: asked.url)
    method = Method(asked.method)
    for field in asked.fields { fields.add(field.name, field.value) }
    body = asked.body.map { RequestBody(Array($0.utf8)) }
    // A file that is packed comes as it is, and its digest is that of the file.
    acceptsCompression = !asked.isPacked
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
