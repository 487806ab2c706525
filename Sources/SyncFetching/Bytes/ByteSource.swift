package import SyncTransport

/// Where bytes come from: a web server, or the folder of a catalog that is itself a file.
///
/// One fetch gives one whole answer or throws; retries and redirects are the source's business.
/// Cancelling the task ends it at once, and the sink is never called after it has returned.
package protocol ByteSource: Sendable {
  func fetch(_ request: ByteRequest, into sink: any ByteSink) async throws -> ByteAnswer
  /// How many more fetches from an address would begin at this moment, as far as is found out how
  /// many make it faster; `nil` where that isn't found out, or one connection carries them all
  /// anyway. Default: `nil`.
  func room(at url: String) -> Int?
}

extension ByteSource {
  package func room(at url: String) -> Int? { nil }
}

package struct ByteRequest: Sendable {
  var url: String
  /// How it is asked. Any but `get` only where the source speaks HTTP.
  package var method = Method.get
  package var fields = HTTPHeaders()
  /// What the request carries. Default: nothing.
  package var body: RequestBody?
  /// Validators of what is held already; with one, the answer may be `isNotModified`.
  package var etag: String?
  package var lastModified: String?
  /// Whether caches on the way are to be passed by.
  package var bypassesCaches = false
  /// Whether the server may compress and the source decodes.
  package var acceptsCompression = false
  /// Asked before each attempt: how much of the body is held already, so that only the rest need
  /// come. The sink then has to look whether it is the rest that comes. A source may ignore it.
  package var rest: @Sendable () -> Rest? = { nil }
  /// What the whole answer is held against; a `TransportError` that is transient is tried again.
  package var check: @Sendable (ByteAnswer) throws -> Void = { _ in }
  /// Whether an answer can only be the one to this request, by what is known of its body; see
  /// `HTTPRequest.recognises`. Default: every answer.
  package var recognises: (@Sendable (ByteAnswer) -> Bool)?

  package init(url: String) {
    self.url = url
  }

  /// How something is asked: all that change nothing.
  package typealias Method = HTTPRequest.Method

  /// The rest of a body of which the beginning is held, or a part of it (RFC 9110, sections 13.1.5
  /// and 14.2).
  package struct Rest: Equatable, Sendable {
    var offset: Int64
    /// Where it ends; `nil` at the end of the whole.
    var end: Int64?
    /// What they are a part of: of anything else, the whole is wanted. `nil` where nothing is held
    /// that it would have to be joined to.
    var validator: StrongValidator?

    /// The rest after so many bytes of what the validator tells.
    package init(offset: Int64, validator: StrongValidator) {
      self.offset = offset
      self.validator = validator
    }

    /// These bytes, which are at least one, of what the validator tells, or of whatever is there.
    package init(_ range: Range<Int64>, validator: StrongValidator? = nil) {
      (offset, end, self.validator) = (range.lowerBound, range.upperBound, validator)
    }
  }
}

/// An answer up to its body; `bodyBytes` counts once the body has come.
package struct ByteAnswer: Sendable {
  /// The address that answered, after redirects, as text and without user-info.
  package var url: String
  /// Whether the server said that what is held is still right; there is no body then.
  package var isNotModified = false
  /// The part that the body is, where it is one: status 206. Comes only to who asked for a part.
  package var part: Part?
  /// Whether the source may be asked for the rest of this body.
  package var hasParts = false
  /// Bytes of the body, after decoding.
  package var bodyBytes: Int64 = 0
  package var declaredLength: Int64?
  /// Whether a body that was cut short would have been noticed.
  package var isFramed: Bool
  /// The content coding that the bytes still have.
  package var contentCoding: ContentCoding?
  package var mediaType: String?
  package var etag: String?
  package var lastModified: String?
  /// When the bytes were last modified, in seconds since 1970, as the source says.
  package var modified: Double?
  /// The server's time of the answer, in seconds since 1970.
  package var date: Double?
  /// An answer with links that can't be read isn't ``isFramed``.
  package var links = LinkHeader([])
  /// Whether the validators tell every later state from this one. Many servers make both of the
  /// date to the second: what was modified in the second of the answer may change once more under
  /// the same validators (RFC 9110, section 8.8.2.2).
  var hasProvenValidators = true

  /// An answer with a body from that address, of which nothing else is known.
  package init(url: String, isFramed: Bool) {
    (self.url, self.isFramed) = (url, isFramed)
  }

  package enum Part: Equatable, Sendable {
    /// These bytes, both ends included, of so many; `nil` when the server doesn't know.
    case bytes(ClosedRange<Int64>, of: Int64?)
    /// Several parts in one, or none that can be told.
    case unclear
  }

  package var isCoded: Bool { contentCoding != nil }

  /// The entity tag, if it proves something.
  package var provenETag: String? { hasProvenValidators ? etag : nil }
  /// The modification date, if it proves something.
  package var provenLastModified: String? { hasProvenValidators ? lastModified : nil }
}

/// Takes a body as it comes. Called on one thread at a time, which may be blocked.
package protocol ByteSink: AnyObject, Sendable {
  /// A body begins; also again, when it is tried once more, and then everything starts over, unless
  /// the answer is a part. Throwing refuses it.
  func begin(_ answer: ByteAnswer) throws
  /// The next bytes. Throwing cuts the transfer.
  func write(_ bytes: UnsafeRawBufferPointer) throws
}

extension StrongValidator {
  /// The validator of an answer; `nil` when it has none that proves something.
  package init?(_ answer: ByteAnswer) {
    guard answer.hasProvenValidators else { return nil }
    self.init(etag: answer.etag, lastModified: answer.lastModified)
  }

  package func isOf(_ answer: ByteAnswer) -> Bool {
    isOfAnswer(etag: answer.etag, lastModified: answer.lastModified)
  }
}
