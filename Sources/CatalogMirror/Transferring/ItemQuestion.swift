import SyncFetching

/// How a server is asked whether an item is still what is held.
///
/// Never by `If-Modified-Since`: that it wasn't modified since, a server says of anything older as
/// well, such as of a file that was put back. An entity tag tells each other state; where there is
/// none, `HEAD` does by another date or length.
struct ItemQuestion: Sendable {
  /// Sent along when the item is asked for: `If-None-Match`.
  let etag: String?
  /// What the server said of the bytes that are held: where it says the same, they are still right,
  /// and nothing of what it sends is read.
  let known: KnownState?

  /// What the server said of a file. A later state of the second that the date names was ruled out
  /// when it was kept.
  struct KnownState: Sendable {
    let size: Int64
    let lastModified: String
    /// Whether the length has to be told, too.
    let needsLength: Bool

    func isOf(_ answer: ByteAnswer) -> Bool {
      guard answer.part == nil, !answer.isNotModified, answer.lastModified == lastModified else {
        return false
      }
      guard let length = answer.declaredLength, !answer.isCoded else { return !needsLength }
      return length == size
    }
  }

  /// The question about what an answer brought; `nil` where nothing would tell.
  init?(of answer: ByteAnswer, holding size: Int64) {
    let tag = answer.provenETag
    self.init(
      etag: tag, lastModified: tag == nil ? answer.provenLastModified : nil, size: size,
      needsLength: false)
  }

  /// The question by the tag or the date that came with the bytes; `nil` where nothing would tell.
  init?(etag: String?, lastModified: String?, size: Int64, needsLength: Bool) {
    guard etag != nil || lastModified != nil else { return nil }
    self.etag = etag
    known = lastModified.map {
      KnownState(size: size, lastModified: $0, needsLength: needsLength)
    }
  }
}
