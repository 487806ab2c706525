import DocumentEndpoints
import DocumentSync
import SyncTransport
import TestSupport
import XCTest

/// What the endpoint makes of a real server's answers to pushes.
final class KintoPushingTests: KintoTestCase {
  private func create(_ id: String, _ body: DocumentValue = ["n": 1]) -> PushRequest {
    .create(DocumentID(id), body, in: collection, key: "key of \(id)")
  }

  private func update(_ id: String, from version: Int64) -> PushRequest {
    .update(DocumentID(id), ["n": 2], from: DocumentVersion("\(version)"), in: collection, key: "k")
  }

  func testAMissingBucketAndCollectionAreMadeForTheFirstDocument() async throws {
    let first = try await endpoint().answer(to: create("a"))
    XCTAssertEqual(first.status, 201)
    await assertEqual(first.version?.text, "\(try me().ask(.get, "\(records)/a").lastModified)")
    XCTAssertNil(first.shown)
  }

  func testTheyAreMadeForABatchAndEveryPartIsStored() async throws {
    let reply = try await endpoint().push(batch: [create("a"), create("b"), create("c")])
    XCTAssertEqual(try reply.answered.map(\.status), [201, 201, 201])
    await assertEqual(Set(try ids(me().ask(.get, records))), ["a", "b", "c"])
  }

  func testNoDocumentIsBlamedForTheBucketOfAnother() async throws {
    try await makeCollection()
    let other = try await KintoAccount.make()
    let endpoint = try endpoint(as: other)
    let alone = try await endpoint.answer(to: create("a"))
    XCTAssertEqual([alone.status, alone.subject == .collection ? 1 : 0], [403, 1])
    let reply = await endpoint.push(batch: [create("a"), create("b")])
    XCTAssertEqual(try reply.answered.map(\.subject), [.collection, .collection])
  }

  /// Others may make records in the collection, and change their own alone.
  func testARecordOfAnotherInACollectionForAllIsTheDocumentsFault() async throws {
    try await makeCollection()
    try await me().ask(
      .patch, "/buckets/\(bucket)/collections/\(collection)",
      #"{"permissions": {"record:create": ["system.Authenticated"]}}"#)
    let version = try await put("a").lastModified
    let other = try endpoint(as: try await KintoAccount.make())
    try await assertEqual(other.answer(to: create("b")).status, 201)
    let refused = try await other.answer(to: update("a", from: version))
    XCTAssertEqual(refused.status, 403)
    XCTAssertEqual(refused.subject, .document)
  }

  func testAConflictShowsWhatTheServerHas() async throws {
    try await makeCollection()
    let version = try await put("a", #"{"n": 7}"#).lastModified
    let shown = DocumentState.present(
      ServerCopy(value: ["n": 7], version: DocumentVersion("\(version)"), time: version))
    let endpoint = try endpoint()
    for request in [create("a"), update("a", from: version - 1)] {
      let reply = await endpoint.push(request)
      XCTAssertEqual(try reply.answered.status, 412)
      XCTAssertEqual(try reply.answered.shown, shown)
      XCTAssertEqual(reply.notes.call?.status, 412)
    }
  }

  func testAConflictWithADeletionShowsItAndOneWithWhatNeverWasShowsNothing() async throws {
    try await makeCollection()
    let version = try await put("a").lastModified
    let deletion = try await me().ask(.delete, "\(records)/a").lastModified
    let endpoint = try endpoint()
    let deleted = try await endpoint.answer(to: update("a", from: version))
    XCTAssertEqual(deleted.status, 412)
    XCTAssertEqual(deleted.shown, .deleted(DocumentVersion("\(deletion)")))
    let never = try await endpoint.answer(to: update("never", from: version))
    XCTAssertEqual(never.status, 412)
    XCTAssertNil(never.shown)
    let reply = await endpoint.push(
      batch: [update("a", from: version), update("never", from: version)])
    XCTAssertEqual(try reply.answered, [deleted, never])
  }

  func testALookTellsATombstoneFromWhatNeverWas() async throws {
    try await makeCollection()
    let version = try await put("007", #"{"n": 7}"#).lastModified
    let endpoint = try endpoint()
    let look = PushRequest.look(at: DocumentID("007"), in: collection)
    let there = try await endpoint.answer(to: look)
    XCTAssertEqual(there.shown?.copy?.value, ["n": 7])
    XCTAssertEqual(there.version?.text, "\(version)")
    let deletion = try await me().ask(.delete, "\(records)/007").lastModified
    let gone = try await endpoint.answer(to: look)
    XCTAssertEqual(gone.status, 404)
    XCTAssertEqual(gone.version?.text, "\(deletion)")
    XCTAssertEqual(gone.shown, .deleted(DocumentVersion("\(deletion)")))
    let never = try await endpoint.answer(to: .look(at: DocumentID("never"), in: collection))
    XCTAssertEqual(never.status, 404)
    XCTAssertEqual(never.subject, .document)
    XCTAssertNil(never.version)
    XCTAssertNil(never.shown)
  }

  func testADeletionIsAnsweredWithItsVersionAndTheSecondTimeWithAbsence() async throws {
    try await makeCollection()
    let version = try await put("a").lastModified
    let request = PushRequest.delete(
      DocumentID("a"), from: DocumentVersion("\(version)"), in: collection, key: "k")
    let endpoint = try endpoint()
    let first = try await endpoint.answer(to: request)
    XCTAssertEqual(first.status, 200)
    XCTAssertNotNil(first.version)
    let second = try await endpoint.answer(to: request)
    XCTAssertEqual(second.status, 404)
    XCTAssertEqual(second.subject, .document)
  }

  func testAnIDThatABatchCannotHaveIsSentByItself() async throws {
    try await makeCollection()
    let transport = CountingTransport()
    let endpoint = try endpoint(over: transport)
    let reply = await endpoint.push(batch: [create("a"), create("batch-of-may"), create("b")])
    XCTAssertEqual(try reply.answered.map(\.status), [201, 201, 201])
    XCTAssertEqual(transport.takeRequests(), ["POST /v1/batch", "PUT /v1\(records)/batch-of-may"])
    for (id, part) in zip(["a", "batch-of-may", "b"], try reply.answered) {
      let record = try await me().ask(.get, "\(records)/\(id)")
      XCTAssertEqual(part.version?.text, "\(try record.lastModified)", id)
    }
  }

  func testWhatWouldDoHarmIsNotSent() async throws {
    try await makeCollection()
    let transport = CountingTransport()
    let endpoint = try endpoint(over: transport)
    for body: DocumentValue in [
      ["last_modified": 1], ["deleted": true], ["id": "a"], ["schema": 1], ["attachment": 1],
      [1],
    ] {
      let refused = try await endpoint.answer(to: create("a", body))
      XCTAssertEqual(refused.status, 400)
      XCTAssertEqual(refused.subject, .document)
      XCTAssertNotEqual(refused.words, "")
    }
    for id in ["../x", "", "a b", "-a"] {
      try await assertEqual(endpoint.answer(to: create(id)).status, 400, id)
    }
    let odd = PushRequest.update(
      DocumentID("a"), [:], from: DocumentVersion(""), in: collection, key: nil)
    let nowhere = PushRequest.create(DocumentID("a"), [:], in: "a/b", key: nil)
    for request in [odd, nowhere] { await assertEqual(endpoint.push(request).end, .impossible) }
    XCTAssertEqual(transport.takeRequests(), [])
  }

  /// The server makes another number of this one. The answer to the first request may be lost.
  func testADocumentThatTheServerRoundedIsShownAndKnownAgainWhenItIsSentTwice() async throws {
    let body: DocumentValue = ["many": 0.9745963848909007]
    let endpoint = try endpoint()
    let first = try await endpoint.answer(to: create("a", body))
    XCTAssertEqual(first.status, 201)
    XCTAssertEqual(first.shown?.copy?.value["many"]?.double, 0.9745963848909008)
    let second = try await endpoint.answer(to: create("a", body))
    XCTAssertEqual(second.status, 412)
    XCTAssertEqual(second.shown?.copy?.value, body)
    XCTAssertEqual(second.shown?.copy?.version, first.version)
  }
}
