import Foundation
import SyncText
import SyncTransport
import TransportTesting
import TestSupport
import XCTest

@testable import DocumentEndpoints
@testable import DocumentSync

/// A server that repeats the password, or the token, in its words: nobody is told it.
final class HiddenSecretTests: XCTestCase {
  private let transport = MemoryTransport()
  private let secret = #"pass word&/"'ü!(~*)%41"#
  private let request = PushRequest.create(DocumentID("a"), ["n": 1], in: "c", key: nil)

  private var basic: AuthorizationSource {
    { [secret] in "Basic \(Base64.text(of: Array("ann:\(secret)".utf8)))" }
  }

  /// What the secret may look like.
  private var forms: [String] {
    [
      secret,
      // By RFC 3986, in lower case, as `encodeURIComponent` and as a browser's form have it, and all.
      "pass%20word%26/%22%27%C3%BC%21%28~%2A%29%2541",
      "pass%20word%26%2f%22%27%c3%bc%21%28~%2a%29%2541",
      "pass%20word%26%2F%22'%C3%BC!(~*)%2541", "pass+word%26%2F%22%27%C3%BC%21%28%7E*%29%2541",
      secret.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined(),
      #"pass word&/\"'ü!(~*)%41"#, #"pass word&/\"'\u00fc!(~*)%41"#,
      "pass word&amp;/&quot;&#x27;ü!(~*)%41", "pass word&amp;/&quot;&#39;ü!(~*)%41",
      Base64.text(of: Array("ann:\(secret)".utf8)),
    ]
  }

  private var words: String { forms.map { "<\($0)>" }.joined() }
  private var hidden: String { forms.map { _ in "<…>" }.joined() }

  private func answer(_ path: String, _ status: Int, _ body: DocumentValue) throws {
    transport.answer(
      try WebAddress("https://example.org\(path)"),
      with: MemoryTransport.Answer(
        status: status, headers: HTTPHeaders([("Content-Type", "application/json")]),
        body: Array(body.text.utf8)))
  }

  private func said(_ reply: EndpointReply<PushEnd>) -> String? {
    guard case .answered(let answer) = reply.end else { return nil }
    return answer.words
  }

  func testAKintoServersWordsLoseIt() async throws {
    let body: DocumentValue = ["code": 400, "errno": 107, "message": DocumentValue(words)]
    try answer("/v1/buckets/b/collections/c/records/a", 400, body)
    for greeting in ["/v1", "/v1/"] { try answer(greeting, 500, body) }
    let endpoint = try KintoEndpoint(
      server: "https://example.org", bucket: "b", options: ServiceOptions(over: transport),
      authorization: basic)
    await assertEqual(said(endpoint.push(request)), hidden)
    if let error = await thrown(EndpointError.self, by: try await endpoint.capabilities()) {
      XCTAssertTrue("\(error)".contains(hidden), "\(error)")
    }
  }

  func testAServicesWordsLoseIt() async throws {
    try answer("/document", 400, ["message": DocumentValue(words)])
    let endpoint = try RestEndpoint(
      server: "https://example.org", dialect: .documentService,
      options: ServiceOptions(over: transport), authorization: basic)
    await assertEqual(said(endpoint.push(request)), hidden)
  }

  func testWordsAboutRowsLoseIt() async throws {
    var dialect = RestDialect()
    dialect.problem = { $0["wrong"]?.string }
    let endpoint = try RestEndpoint(
      server: "https://example.org", dialect: dialect, options: ServiceOptions(over: transport),
      authorization: basic)
    for (status, name) in [(400, "detail"), (409, "error"), (201, "wrong")] {
      try answer("/c", status, DocumentValue(joining: [.init(.init(name), words)]))
      await assertEqual(said(endpoint.push(request)), hidden, "\(status)")
    }
    for (status, name) in [(500, "message"), (200, "wrong")] {
      try answer("/c", status, DocumentValue(joining: [.init(.init(name), words)]))
      if let error = await thrown(
        EndpointError.self, by: try await endpoint.changes(in: "c", from: .beginning))
      {
        XCTAssertTrue("\(error)".contains(hidden), "\(error)")
      }
    }
  }

  /// What a request shows besides its authorization was known to nobody who keeps answers.
  func testWhatTheWayToAServerShowsIsNotKept() async throws {
    let folder = try temporaryFolder()
    func file(_ text: String, _ name: String) throws -> String {
      let place = folder.appending(path: name)
      try Data(text.utf8).write(to: place)
      return place.path
    }
    var options = ServiceOptions(over: transport)
    options.access.headers = [
      .init(name: "X-Tenant", value: "tenant/7"), .init(name: "X-Key-Token", value: "k1"),
      .init(name: "Accept-Language", value: "de"),
    ]
    options.access.tokenFile = try file("bearer-of-file\n", "token")
    options.access.netrcFile = try file(
      "machine example.org\n login ann password of-netrc\n", "netrc")
    options.access.proxy = .url("http://me:of-proxy@proxy.example:8080")
    let body: DocumentValue = [
      "message": #"tenant\/7 k1 de bearer-of-file of-netrc me:of-proxy of-proxy"#,
      "more": "<tenant/7>",
    ]
    try answer("/v1/buckets/b/collections/c/records/a", 400, body)
    let endpoint = try KintoEndpoint(server: "https://example.org", bucket: "b", options: options)
    let call = await endpoint.push(request).notes.call
    let kept = try XCTUnwrap(call).body
    for word in ["tenant", "k1", "of-file", "of-netrc", "of-proxy"] {
      XCTAssertFalse(kept.contains(word), "\(word): \(kept)")
    }
    XCTAssertTrue(kept.contains("de"), kept)
  }
}

extension ObjectMember {
  fileprivate init(_ name: ByteString, _ words: String) {
    self.init(name: name, value: DocumentValue(words))
  }
}
