import DocumentEndpoints
import DocumentSync
import Foundation
import SyncText
import SyncTransport
import TestSupport
import XCTest

/// Files of documents at a real Kinto, which keeps them by its plugin for attachments.
final class KintoFileTests: KintoTestCase {
  private let bytes = Array("a picture, and then: \r\n--form- \"\u{E9}\"".utf8)

  private func facts(_ name: String = "a.png") -> FileFacts {
    FileFacts(
      digest: "\(SHA256Digest(of: bytes))", size: Int64(bytes.count), name: name,
      type: "image/png")
  }

  private func place(_ document: String = "milk") -> FilePlace {
    FilePlace(collection: collection, document: DocumentID(document), digest: facts().digest)
  }

  func testAFileIsStoredFoundReadInPartsAndRemoved() async throws {
    let endpoint = try endpoint()
    try await assertEqual(endpoint.file(.find(place())).end, .missing)
    let stored = try await endpoint.file(.store(place(), facts(), FileContent(bytes)))
    guard case .there(let file) = stored.end else { return XCTFail("\(stored.end)") }
    XCTAssertEqual(file.digest, facts().digest)
    XCTAssertEqual(file.size, facts().size)
    try await assertEqual(endpoint.file(.find(place())).end, .there(file))
    let whole = try await endpoint.file(.read(file, from: 0, count: 1000))
    XCTAssertEqual(whole.end, .bytes(bytes, from: 0))
    let part = try await endpoint.file(.read(file, from: 5, count: 4))
    XCTAssertEqual(part.end, .bytes(Array(bytes[5..<9]), from: 5))
    try await assertEqual(endpoint.file(.remove(place())).end, .missing)
    try await assertEqual(endpoint.file(.read(file, from: 0, count: 1000)).end, .missing)
    try await assertEqual(endpoint.file(.remove(place())).end, .missing)
  }

  func testAFileOfOneDocumentSurvivesThatAnotherLosesTheSame() async throws {
    let endpoint = try endpoint()
    _ = try await endpoint.file(.store(place("milk"), facts(), FileContent(bytes)))
    _ = try await endpoint.file(.store(place("bread"), facts(), FileContent(bytes)))
    _ = try await endpoint.file(.remove(place("bread")))
    guard case .there(let file) = try await endpoint.file(.find(place())).end else {
      return XCTFail("it's gone")
    }
    let whole = try await endpoint.file(.read(file, from: 0, count: 1000))
    XCTAssertEqual(whole.end, .bytes(bytes, from: 0))
  }

  func testARefusalIsToldInTheServersWords() async throws {
    let reply = try await endpoint().file(.store(place(), facts("a.exe"), FileContent(bytes)))
    XCTAssertEqual(reply.end, .refused(status: 400, words: "body: File extension is not allowed."))
  }

  func testAnUploadMakesANewVersionWhateverItsConditionAndTakesTheFirstFileAway() async throws {
    let endpoint = try endpoint()
    let first = try await endpoint.file(.store(place(), facts(), FileContent(bytes)))
    let path = "/buckets/\(bucket)/collections/\(collection)-files/records"
    let before = try await me().ask(.get, path).data?.elements?.first?["last_modified"]?.integer
    let second = try await endpoint.file(.store(place(), facts(), FileContent(bytes)))
    let after = try await me().ask(.get, path).data?.elements?.first?["last_modified"]?.integer
    XCTAssertGreaterThan(try XCTUnwrap(after), try XCTUnwrap(before))
    guard case .there(let one) = first.end, case .there(let two) = second.end else {
      return XCTFail("\(first.end), \(second.end)")
    }
    XCTAssertNotEqual(one.location, two.location)
    try await assertEqual(endpoint.file(.read(one, from: 0, count: 1000)).end, .missing)
  }

  func testTheAttachmentOfARecordIsNotChangedByAPut() async throws {
    let endpoint = try endpoint()
    _ = try await endpoint.file(.store(place(), facts(), FileContent(bytes)))
    let path = "/buckets/\(bucket)/collections/\(collection)-files/records"
    let list = try await me().ask(.get, path)
    let record = try XCTUnwrap(try list.data?.elements?.first)
    let id = try XCTUnwrap(record["id"]?.string)
    let answer = try await me().ask(
      .put, "\(path)/\(id)", #"{"data": {"attachment": {"location": "x", "hash": "y"}}}"#)
    XCTAssertEqual(answer.status, 400)
  }

  func testTwoReplicasExchangeAFileWithItsPreview() async throws {
    let (here, there) = (try await replica(), try await replica())
    let small = Array("small".utf8)
    try await here.save(DocumentID("milk"), ["n": 1], in: collection)
    let file = try await here.attach(
      bytes, named: "a.png", preview: small, to: "picture", of: DocumentID("milk"))
    try await assertEqual(here.sync().failures, [])
    try await there.sync()
    let value = try await there.document(DocumentID("milk"))?["picture"]
    XCTAssertEqual(value.flatMap { FileReference($0) }, file)
    try await assertEqual(there.content(of: file.content), bytes)
    let facts = try XCTUnwrap(file.preview)
    try await assertEqual(there.content(of: facts), small)
    try await there.detach("picture", of: DocumentID("milk"))
    try await there.sync()
    let path = "/buckets/\(bucket)/collections/\(collection)-files/records"
    try await assertEqual(me().ask(.get, path).data?.elements, [])
    await here.close()
    await there.close()
  }

  /// Between the question where a file is and the one for its content, it was sent once more.
  func testAContentThatASecondUploadTookAwayIsFetchedWhereThatPutIt() async throws {
    let transport = CountingTransport()
    let (here, there) = (try await replica(), try await replica(over: transport))
    let (file, place, endpoint) = (try await attach(here), place(), try endpoint())
    try await here.sync()
    transport.before("/files/") { [bytes] in
      _ = try await endpoint.file(.store(place, file.content, FileContent(bytes)))
    }
    try await assertEqual(there.sync().failures, [])
    try await assertEqual(there.content(of: file.content), bytes)
    await here.close()
    await there.close()
  }

  /// Two uploads at once, after a kill in the middle of the first, leave a record behind that names
  /// the one whose content the other took away.
  func testAFileWhoseRecordNamesAContentThatIsGoneIsSentAgain() async throws {
    let transport = CountingTransport()
    let (here, there) = (try await replica(over: transport), try await replica())
    let (file, place, endpoint) = (try await attach(here), place(), try endpoint())
    let attachments = try me().server.attachments
    transport.before("/attachment") { [bytes] in
      _ = try await endpoint.file(.store(place, file.content, FileContent(bytes)))
      guard case .there(let found) = try await endpoint.file(.find(place)).end else { return }
      let path = found.location.components(separatedBy: "/files/").last ?? ""
      try FileManager.default.removeItem(at: attachments.appending(path: path))
      throw TransportError(.interrupted, at: try WebAddress("http://kinto.example"))
    }
    try await assertEqual(here.sync().failures, [])
    try await assertEqual(there.sync().failures, [])
    try await assertEqual(there.content(of: file.content), bytes)
    await here.close()
    await there.close()
  }

  private func attach(_ replica: DocumentReplica) async throws -> FileReference {
    try await replica.save(DocumentID("milk"), ["n": 1], in: collection)
    return try await replica.attach(bytes, named: "a.png", to: "picture", of: DocumentID("milk"))
  }

  private func replica(over transport: CountingTransport? = nil) async throws -> DocumentReplica {
    try await DocumentReplica(
      .memory, endpoint: endpoint(over: transport),
      options: ReplicaOptions(
        server: "https://kinto.example/\(bucket)",
        collections: [SyncedCollection(collection, policies: [.merge])]))
  }
}
