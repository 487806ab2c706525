import DocumentSync
import Foundation
import SyncText
import SyncTransport
import TestSupport
import XCTest

/// An account at the Kinto server that all tests of this process share.
struct KintoAccount: Sendable {
  let server: KintoServer
  let name: String
  let password: String
  private let client: HTTPClient

  /// A new account.
  static func make(at server: KintoServer? = nil) async throws -> KintoAccount {
    let account = KintoAccount(
      server: try server ?? Self.shared.get(), name: "user-\(UUID().uuidString.prefix(8))")
    try await account.register()
    return account
  }

  /// The account that tests share which need no other: to check a new one's password takes a server
  /// half a second.
  static func usual() async throws -> KintoAccount {
    let account = KintoAccount(server: try shared.get(), name: "usual")
    if try await account.ask(.get, "/").json["user"] == nil { try await account.register() }
    return account
  }

  private init(server: KintoServer, name: String) {
    (self.server, self.name) = (server, name)
    password = "password of \(name)"
    var policy = ClientPolicy()
    policy.retry.retries = 0
    policy.failuresUntilGivenUp = .max
    client = HTTPClient(CurlTransport(), policy: policy)
  }

  private static let shared = Result {
    try KintoServer(in: FileManager.default.temporaryDirectory.appending(path: "kinto-\(getpid())"))
  }

  /// Has the server know the account: after it has forgotten everything, too.
  func register() async throws {
    let answer = try await ask(
      .put, "/accounts/\(name)", #"{"data": {"password": "\#(password)"}}"#, as: nil)
    XCTAssertEqual(answer.status, 201, "\(String(decoding: answer.body, as: UTF8.self))")
  }

  /// Has the server lose everything.
  func flush() async throws { try await assertEqual(ask(.post, "/__flush__").status, 202) }

  /// How its requests are authorized.
  var authorization: String { "Basic \(Base64.text(of: Array("\(name):\(password)".utf8)))" }

  /// Makes a request past any endpoint.
  @discardableResult
  func ask(
    _ method: HTTPRequest.Method = .get, _ path: String, _ json: String? = nil,
    fields: [(String, String)] = []
  ) async throws -> HTTPAnswer {
    try await ask(method, path, json, fields: fields, as: authorization)
  }

  /// The same as somebody else, or nobody.
  @discardableResult
  func ask(
    _ method: HTTPRequest.Method = .get, _ path: String, _ json: String? = nil,
    fields: [(String, String)] = [], as authorization: String?
  ) async throws -> HTTPAnswer {
    var request = HTTPRequest(try WebAddress("\(server.address)/v1\(path)"))
    request.method = method
    request.headers = HTTPHeaders(fields)
    if let authorization { request.headers.add("Authorization", authorization) }
    request.body = json.map { RequestBody(Array($0.utf8), mediaType: "application/json") }
    return try await client.answer(to: FetchRequest(request), limit: 64 * 1024 * 1024)
  }
}

extension HTTPAnswer {
  /// The body as JSON.
  var json: DocumentValue {
    get throws { try DocumentValue(parsing: String(decoding: body, as: UTF8.self)) }
  }

  /// What the body tells.
  var data: DocumentValue? { get throws { try json["data"] } }

  /// When what it tells was changed last.
  var lastModified: Int64 {
    get throws { try XCTUnwrap(try data?["last_modified"]?.integer, "\(status)") }
  }

  /// The entity tag as a number.
  var change: Int64 {
    get throws {
      let tag = try XCTUnwrap(headers["ETag"].flatMap { EntityTag($0) })
      return try XCTUnwrap(Int64(String(decoding: tag.opaque, as: UTF8.self)))
    }
  }
}
