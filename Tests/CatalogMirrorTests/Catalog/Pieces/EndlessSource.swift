import SyncLock

@testable import CatalogMirror
@testable import SyncFetching
@testable import SyncText

/// A source whose one answer begins with a text and goes on with another one for ever; and counts
/// the bytes that were taken of it.
final class EndlessSource: ByteSource {
  private let start: [UInt8]
  private let filler: [UInt8]
  private let mediaType: String?
  /// Nobody should take more than that.
  private let most: Int
  private let count = Locked(0)

  init(_ start: String, then filler: String, mediaType: String? = nil, atMost most: Int) {
    self.start = Array(start.utf8)
    self.filler = Array(filler.utf8)
    self.mediaType = mediaType
    self.most = most
  }

  /// How many bytes were taken.
  var taken: Int { count.withLock { $0 } }

  func fetch(_ request: ByteRequest, into sink: any ByteSink) async throws -> ByteAnswer {
    var answer = ByteAnswer(url: request.url, isFramed: true)
    answer.mediaType = mediaType
    try sink.begin(answer)
    try start.withUnsafeBytes { try sink.write($0) }
    while taken < most {
      try filler.withUnsafeBytes { try sink.write($0) }
      count.withLock { $0 += filler.count }
    }
    return answer
  }

  /// What comes of a listing that is fetched from there.
  func end(as format: CatalogFormatName?, _ limits: CatalogLimits) async throws -> CatalogError? {
    var options = ListingAssembly.Options()
    (options.format, options.limits) = (format, limits)
    let mapping = MappedFormat(try JSONMapping("items=a,key=b"))
    let source = CatalogSource(
      source: self, root: try Golden.url("https://h/d/"),
      formats: CatalogFormats.standard.preceded(by: [mapping]), options: options,
      onPage: { _, _ in })
    do {
      _ = try await source.fetch()
      return nil
    } catch let error as CatalogError {
      return error
    }
  }
}
