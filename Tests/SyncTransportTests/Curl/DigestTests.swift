import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// A server wanted Digest authentication, and the right name and password were refused.
final class DigestTests: XCTestCase {
  private static let realm = "WWW-Authenticate: Digest realm=\"x\", nonce=\"n1\", qop=\"auth\"\r\n"

  /// A server that wants this kind of proof, and says so with a body of its own.
  private func server(wanting challenge: String, word: String) throws -> RawServer {
    try rawServer { connection, request in
      if request["Authorization"]?.hasPrefix(word) ?? false {
        return connection.send(
          "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\(request.method == "HEAD" ? "" : "file")")
      }
      let body = request.method == "HEAD" ? "" : "who are you?"
      return connection.send(
        "HTTP/1.1 401 Who\r\n\(challenge)Content-Length: 12\r\n\r\n\(body)")
    }
  }

  private func client(_ server: RawServer) throws -> (HTTPClient, WebAddress) {
    let (_, credentials) = try WebAddress.parse("http://u:secret@h/")
    let address = try WebAddress(server.url("/a"))
    var access = OriginAccess()
    access.authorize(address.origin, .basic(try XCTUnwrap(credentials)))
    return (HTTPClient(curl(), access: access), address)
  }

  func testThePasswordIsProvenAndNeverTold() async throws {
    let server = try server(wanting: Self.realm, word: "Digest ")
    let (client, address) = try client(server)
    for _ in 0..<2 {
      let receiver = RecordingReceiver()
      let response = try await client.fetch(FetchRequest(address), into: receiver)
      XCTAssertEqual(response.status, 200)
      XCTAssertEqual(receiver.bytes, Array("file".utf8), "nothing of the challenge's body")
      XCTAssertEqual(response.bodyBytes, 4)
    }
    let sent = server.requests.map { $0["Authorization"] ?? "" }
    XCTAssertEqual(sent.filter { $0.hasPrefix("Digest username=\"u\"") }.count, 2)
    XCTAssertFalse(sent.contains { $0.hasPrefix("Basic") }, "\(sent)")
    XCTAssertFalse(server.requests.contains { $0.lines.joined().contains("secret") })
  }

  /// The question was refused, and the password was told as it is.
  func testAServerThatAnswersNoQuestionIsAskedForTheFileWithoutThePassword() async throws {
    let server = try rawServer { connection, request in
      guard request.method != "HEAD" else {
        return connection.send("HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
      }
      let isProven = request["Authorization"]?.hasPrefix("Digest ") ?? false
      return connection.send(
        isProven
          ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfile"
          : "HTTP/1.1 401 Who\r\n\(Self.realm)Content-Length: 12\r\n\r\nwho are you?")
    }
    let (client, address) = try client(server)
    let receiver = RecordingReceiver()
    _ = try await client.fetch(FetchRequest(address), into: receiver)
    XCTAssertEqual(receiver.bytes, Array("file".utf8))
    XCTAssertFalse(server.requests.contains { $0["Authorization"]?.hasPrefix("Basic") ?? false })
  }

  /// A list that anybody may read said of the files below it that they want no proof.
  func testAnOpenPageSaysNothingOfWhatLiesBesideIt() async throws {
    let server = try rawServer { connection, request in
      let isOpen = request.path == "/a"
      let isProven = request["Authorization"]?.hasPrefix("Digest ") ?? false
      let body = request.method == "HEAD" ? "" : "file"
      return connection.send(
        isOpen || isProven
          ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\(body)"
          : "HTTP/1.1 401 Who\r\n\(Self.realm)Content-Length: 4\r\n\r\n\(body)")
    }
    let (client, address) = try client(server)
    let files = try (0..<8).map { try WebAddress(server.url("/f\($0)")) }
    _ = try await client.fetch(FetchRequest(address), into: RecordingReceiver())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for file in files {
        group.addTask { _ = try await client.fetch(FetchRequest(file), into: RecordingReceiver()) }
      }
      try await group.waitForAll()
    }
    let told = server.requests.filter { $0["Authorization"]?.hasPrefix("Basic") ?? false }
    XCTAssertEqual(Set(told.map(\.path)), ["/a"], "what is open there may show more to a user")
  }

  func testAServerOfBothIsGivenTheProof() async throws {
    let both = "WWW-Authenticate: Basic realm=\"x\"\r\n" + Self.realm
    let server = try server(wanting: both, word: "Digest ")
    let (client, address) = try client(server)
    _ = try await client.fetch(FetchRequest(address), into: RecordingReceiver())
    XCTAssertFalse(server.requests.contains { $0["Authorization"]?.hasPrefix("Basic") ?? false })
  }

  func testAServerOfBasicIsAskedOnceMoreThanBeforeAndThenToldAtOnce() async throws {
    let server = try server(wanting: "WWW-Authenticate: Basic realm=\"x\"\r\n", word: "Basic ")
    let (client, address) = try client(server)
    for _ in 0..<3 { _ = try await client.fetch(FetchRequest(address), into: RecordingReceiver()) }
    XCTAssertEqual(server.requests.map(\.method), ["HEAD", "GET", "GET", "GET"])
  }

  func testARealmThatSpeaksOfDigestIsNoQuestionForAProof() async throws {
    let realm = "WWW-Authenticate: Basic realm=\"Files, Digest of all\"\r\n"
    let server = try server(wanting: realm, word: "Basic ")
    let (client, address) = try client(server)
    let response = try await client.fetch(FetchRequest(address), into: RecordingReceiver())
    XCTAssertEqual(response.status, 200)
  }

  func testAWrongPasswordIsARefusal() async throws {
    let server = try server(wanting: Self.realm, word: "Never ")
    let (client, address) = try client(server)
    do {
      _ = try await client.fetch(FetchRequest(address), into: RecordingReceiver())
      XCTFail("refused")
    } catch let error as TransportError {
      XCTAssertEqual(error.code, .status(401))
    }
  }

  /// Where redirects lead, nothing is proven to.
  func testAnotherOriginLearnsNothing() async throws {
    let other = try server(wanting: Self.realm, word: "Digest ")
    let place = other.url("/a")
    let home = try rawServer { connection, _ in
      connection.send("HTTP/1.1 302 There\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n")
    }
    let (client, address) = try client(home)
    do {
      _ = try await client.fetch(FetchRequest(address), into: RecordingReceiver())
      XCTFail("refused")
    } catch let error as TransportError {
      XCTAssertEqual(error.code, .status(401))
    }
    XCTAssertFalse(other.requests.isEmpty)
    XCTAssertEqual(other.requests.compactMap { $0["Authorization"] }, [])
  }
}
