public import SyncText

/// A way to publish a catalog: what to ask for, how to recognise the answer, and how to read it.
///
/// The mirror asks for a catalog's pages, and gives each answer to its format: with status 200
/// (207 to `PROPFIND` and `REPORT`), whole, unpacked and within ``CatalogLimits/bytes``. The format
/// reads one page at a time, keeps nothing between two, and is asked from any thread. What it says
/// of the next steps (``CatalogPage/next``, ``CatalogPage/parts``,
/// ``CatalogPage/subdirectories``) is fetched and given to the same format, which knows by
/// ``CatalogRequest/step`` what it asked for.
///
/// What a format answers for is that nothing passes for a list that is none: a page of an error, a
/// part of a page or an empty body throws, since what is absent from a complete listing is removed.
public protocol CatalogFormat: Sendable {
  /// The name by which a person asks for it.
  var name: CatalogFormatName { get }

  /// What a list of it is, for sentences: "nginx's directory listing in HTML".
  var noun: String { get }

  /// Whether an answer that nobody named a format for is this one's, by its media type and its
  /// first bytes. Pure and quick. Default: never, so that it has to be named.
  func recognises(_ body: CatalogBody) -> Bool

  /// What is asked first, where the format was named. Default: the catalog's address.
  func firstRequest(to catalog: URLReference) -> CatalogRequest

  /// What is asked first for what has changed since the pass that ended with `checkpoint`
  /// (``CatalogPage/checkpoint``); `nil`, the default, where only the whole list can be had. If the
  /// answer can't be had or read, the whole list is asked for.
  func firstRequest(to catalog: URLReference, since checkpoint: String) -> CatalogRequest?

  /// What is wrong where the source says that there is nothing at a request's address, nor at its
  /// alternatives, such as that another address is to be given. `nil`, the default: only that.
  ///
  /// - Parameters:
  ///   - request: What was asked.
  ///   - reason: What the source says, and not what to do, for the middle of a sentence.
  func problem(ofNothingAt request: CatalogRequest, because reason: String) -> CatalogError?

  /// Reads a page.
  ///
  /// - Throws: when the body isn't a whole page of this format, or goes past a limit.
  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage
}

extension CatalogFormat {
  /// Never: the format has to be named.
  public func recognises(_ body: CatalogBody) -> Bool { false }

  /// The address of the catalog.
  public func firstRequest(to catalog: URLReference) -> CatalogRequest {
    CatalogRequest(catalog.text)
  }

  /// Nothing: only the whole list can be had.
  public func firstRequest(to catalog: URLReference, since checkpoint: String) -> CatalogRequest? {
    nil
  }

  /// Only that there is nothing.
  public func problem(
    ofNothingAt request: CatalogRequest, because reason: String
  ) -> CatalogError? { nil }
}

/// How much a catalog may hold. Past a limit the listing is an error, not a cut list.
public struct CatalogLimits: Hashable, Sendable {
  /// Bytes of all pages together, after decompression; default 1 GiB. Whoever fetches enforces it
  /// while the bytes arrive; the decoders look once more at each page.
  public var bytes = 1 << 30
  /// Entries of all pages together; default 10,000,000.
  public var entries = 10_000_000
  /// Pages and directories together; default 100,000.
  public var pages = 100_000
  /// Pages of a chain, one after the other, that only lead to a next one; default 1,000.
  package var emptyPages = 1_000
  /// Levels of directories below the first; default 32.
  package var depth = 32
  /// Levels of arrays and objects in JSON; default 64. Whatever is said here, elements of XML and
  /// HTML may nest 256 deep, and one of XML that is read at once may hold 1,000,000 elements and
  /// attributes and 10,000,000 bytes.
  package var nesting = 64
  /// Bytes of one key; default 65,536. A key that is only too long for a path fails as one item.
  package var keyLength = 65_536
  /// Bytes of one value, name, text, comment or line, as sent; default 1 MiB. What holds others may
  /// be larger.
  package var pieceBytes = 1 << 20
  /// Bytes of one tag of XML or HTML; default 64 KiB.
  package var tagBytes = 64 << 10
  /// Attributes of one tag; default 1,000.
  package var attributes = 1_000

  /// The defaults.
  public init() {}
}
