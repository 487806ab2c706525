import DocumentEndpoints
import DocumentSync
import SyncText
import SyncTransport
import TestSupport
import XCTest

/// At a real Kinto, the collection isn't there yet to which a document or a file is to go, and it
/// can't be made just then.
final class KintoMakingTests: KintoTestCase {
  private let bytes = Array("a picture".utf8)

  private var request: FileRequest {
    let digest = "\(SHA256Digest(of: bytes))"
    let place = FilePlace(collection: collection, document: DocumentID("milk"), digest: digest)
    let facts = FileFacts(digest: digest, size: 9, name: "a.png", type: "image/png")
    return .store(place, facts, FileContent(bytes))
  }

  /// The file was refused for good, and its server not left alone.
  func testAServerThatIsBusyJustThenRefusesNoFileAndIsLeftAlone() async throws {
    let transport = CountingTransport()
    var busy = TransportError(.status(503), at: try WebAddress("http://kinto.example"))
    busy.retryAfter = .seconds(7)
    let reason = EndpointError.Reason.refused(status: 503, words: "", subject: .collection)
    await fails(reason, busy, transport) { $0.notes.wishes.retryAfter == .seconds(7) }
  }

  func testAServerThatIsNotReachedJustThenRefusesNoFile() async throws {
    let gone = TransportError(.couldNotConnect, at: try WebAddress("http://kinto.example"))
    await fails(.unreachable, gone, CountingTransport())
  }

  /// The collection counted as one that can't be used, and its server wasn't left alone.
  func testAServerThatIsBusyJustThenRefusesNoDocumentAndIsLeftAlone() async throws {
    let transport = CountingTransport()
    var busy = TransportError(.status(503), at: try WebAddress("http://kinto.example"))
    busy.retryAfter = .seconds(7)
    transport.before("/records/milk") { [bucket, busy] in
      transport.before("/buckets/\(bucket)") { throw busy }
    }
    let reply = try await endpoint(over: transport).push(
      .create(DocumentID("milk"), ["n": 1], in: collection, key: nil))
    guard case .answered(let answer) = reply.end else { return XCTFail("\(reply.end)") }
    XCTAssertEqual(answer.status, 503)
    XCTAssertEqual(reply.notes.wishes.retryAfter, .seconds(7))
  }

  private func fails(
    _ reason: EndpointError.Reason, _ error: TransportError, _ transport: CountingTransport,
    _ isAsExpected: (EndpointError) -> Bool = { _ in true }
  ) async {
    transport.before("/attachment") { [bucket] in
      transport.before("/buckets/\(bucket)") { throw error }
    }
    do {
      let reply = try await endpoint(over: transport).file(request)
      XCTFail("\(reply.end)")
    } catch let error as EndpointError {
      XCTAssertEqual(error.reason, reason)
      XCTAssertTrue(isAsExpected(error), "\(error.notes)")
    } catch {
      XCTFail("\(error)")
    }
  }

  func testAContentAtAnotherServerIsKnown() throws {
    let endpoint = try endpoint()
    let rows = [
      ("/files/a", nil), ("\(try me().server.address)/files/a", nil),
      ("https://files.example/a", "https://files.example"),
      ("//files.example:81/a", "http://files.example:81"),
    ]
    for (location, server) in rows {
      XCTAssertEqual(endpoint.otherServer(of: location), server, location)
    }
  }
}
