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

/// The name of a ``CatalogFormat``: lower-case letters, digits and hyphens.
public struct CatalogFormatName: RawRepresentable, Hashable, Sendable, Codable {
  /// The name itself.
  public let rawValue: String

  /// A name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The same.
  public init(_ name: String) {
    self.init(rawValue: name)
  }
}

extension CatalogFormatName: CustomStringConvertible {
  /// The name itself.
  public var description: String { rawValue }
}
