public import DocumentSync

/// The server behind your endpoint, as ``EndpointContract`` needs it.
///
/// Each fixture has empty collections of its own; the contract makes a new fixture for every check.
///
/// ```swift
/// struct NotesFixture: EndpointFixture {
///   let server: NotesServer
///   func makeEndpoint() -> NotesEndpoint { NotesEndpoint(server.address, pageSize: pageSize) }
///   func tearDown() async { await server.stop() }
/// }
/// ```
public protocol EndpointFixture: Sendable {
  /// The endpoint to check.
  associatedtype Endpoint: DocumentEndpoint

  /// A collection that is empty at first. Default: `contract`.
  var collection: String { get }

  /// Another one, on the same server. Default: `nil`, and that collections are kept apart isn't
  /// checked.
  var otherCollection: String? { get }

  /// How many documents a page of the endpoint holds. Make it small: documents for three pages are
  /// stored one by one. Default: 5.
  var pageSize: Int { get }

  /// Ids that are hard to keep, all of which your server can have. Default: letters of both cases,
  /// digits, `-` and `_`.
  var oddIDs: [DocumentID] { get }

  /// Documents that are hard to carry. Default: large integers, fractions, empty things, many
  /// scripts, deep nesting. Leave out what your server can't have.
  var oddDocuments: [DocumentValue] { get }

  /// What must appear in nothing that is kept of a call: the password, the token. Default: nothing.
  var secrets: [String] { get }

  /// A document of that id, saying some words. Default: `{"text": "…"}`.
  func document(_ id: DocumentID, saying text: String) throws -> DocumentValue

  /// A new endpoint for the same server and account, as after a restart of your program.
  func makeEndpoint() async throws -> Endpoint

  /// Makes a document of ``collection`` one that can't be read, or mends it again. Returns whether
  /// it can. Default: `false`, and what needs it isn't checked.
  func setReadable(_ isReadable: Bool, _ id: DocumentID) async throws -> Bool

  /// Makes the server forget everything: a flush, or another server under its address. Returns
  /// whether it can. Default: `false`, and what needs it isn't checked.
  func forgetEverything() async throws -> Bool

  /// Has all requests run into some trouble from now on, or, with `nil`, into none. Returns whether
  /// it can. Default: `false`, and what needs it isn't checked.
  func setTrouble(_ trouble: EndpointTrouble?) async throws -> Bool

  /// Stops the server's clock, so that whatever is stored from now on is stored at one time.
  ///
  /// Default: nothing; then documents are stored one right after the other, which may not be at one
  /// time.
  func stopClock() async throws

  /// Called when the contract is done with this fixture. Default: nothing.
  func tearDown() async
}

extension EndpointFixture {
  /// `contract`.
  public var collection: String { "contract" }

  /// None.
  public var otherCollection: String? { nil }

  /// 5.
  public var pageSize: Int { 5 }

  /// What most servers can have.
  public var oddIDs: [DocumentID] {
    ["UPPER", "upper", "0", "007", "a-b_c", String(repeating: "long", count: 20)]
      .map { DocumentID($0) }
  }

  /// What JSON can say, and is easily changed on its way.
  public var oddDocuments: [DocumentValue] {
    [
      ["large": 9_007_199_254_740_993, "small": -9_007_199_254_740_993],
      ["fraction": 0.1, "tiny": 1e-7, "none": 0],
      ["empty": "", "no members": [:], "no elements": [], "nothing": .null],
      ["émigré": "e\u{301} é 日本語 🎈 \u{0}\u{1F} \u{2028}", "quote\"\\/": "\"\\/"],
      ["nested": [[[["deep": [true, false, [.null]]]]]]],
      ["looks like a date": "2024-01-01T00:00:00Z", "like a number": "1e3"],
      [:],
    ]
  }

  /// Nothing.
  public var secrets: [String] { [] }

  /// An object with a text.
  public func document(_ id: DocumentID, saying text: String) throws -> DocumentValue {
    try DocumentValue(members: [("text", DocumentValue(text))])
  }

  /// `false`: all documents can be read.
  public func setReadable(_ isReadable: Bool, _ id: DocumentID) async throws -> Bool { false }

  /// `false`: this server forgets nothing.
  public func forgetEverything() async throws -> Bool { false }

  /// `false`: this server always answers.
  public func setTrouble(_ trouble: EndpointTrouble?) async throws -> Bool { false }

  /// Nothing.
  public func stopClock() async throws {}

  /// Nothing.
  public func tearDown() async {}
}

/// What a server, or the way to it, can be made to do for ``EndpointContract``.
public enum EndpointTrouble: Sendable, Hashable, CaseIterable {
  /// Every request is answered with status 200 and a page of HTML, and goes nowhere: a portal.
  case portal
  /// Every request is carried out, and the connection ends without an answer.
  case noAnswer
  /// Every request is refused with 503 and `Retry-After: 7`.
  case busy
  /// Every request is refused with 401.
  case unauthorized
}
