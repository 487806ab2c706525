import DocumentSync
import DocumentTesting
import TestSupport
import XCTest

final class ReferenceServerTests: XCTestCase {
  private let id = DocumentID("a")

  private func create(_ text: String = "text") -> PushRequest {
    .create(id, ["text": DocumentValue(text)], in: "notes", key: "key of \(text)")
  }

  func testWhatOneStoresTheOtherIsTold() async throws {
    let server = ReferenceServer()
    let reply = await server.endpoint(named: "mine").push(create())
    guard case .answered(let answer) = reply.end else { return XCTFail("\(reply)") }
    let changes = try await server.endpoint(named: "theirs").changes(in: "notes", from: .beginning)
    guard case .page(let page) = changes.end else { return XCTFail("\(changes)") }
    XCTAssertEqual(page.documents.map(\.id), [id])
    XCTAssertEqual(page.documents.first?.state.copy?.version, answer.version)
    XCTAssertEqual(server.documents(in: "notes").keys.sorted(), [id])
    XCTAssertEqual(server.events.map(\.writer), ["mine"])
  }

  func testQuestionsThatHaveNoAnswerThrowWithAllThatWasSaid() async throws {
    let server = ReferenceServer()
    let faults: [(ServerFault, EndpointError.Reason)] = [
      (.unreachable, .unreachable), (.requestLost, .lost),
      (.garbled(.before), .unreadable("it is no JSON")),
      (
        .busy(status: 503, retryAfter: .seconds(7)),
        .refused(status: 503, words: "too much to do", subject: .document)
      ),
      (.forbidden, .refused(status: 403, words: "not for you", subject: .collection)),
    ]
    for (fault, reason) in faults {
      let endpoint = server.endpoint(named: "mine", faults: .script([fault, fault]))
      await assertThrows(reason) { _ = try await endpoint.capabilities() }
      await assertThrows(reason) { _ = try await endpoint.changes(in: "notes", from: .beginning) }
    }
  }

  func testPushesEndAsTheNetworkHasIt() async throws {
    let server = ReferenceServer()
    let rows: [(ServerFault, PushEnd)] = [
      (.unreachable, .unreachable), (.answerLost, .lost),
      (.garbled(.after), .unreadable),
      (
        .breaks(status: 500, .before),
        .answered(PushAnswer(status: 500, words: "the server broke"))
      ),
    ]
    for (fault, end) in rows {
      let endpoint = server.endpoint(named: "mine", faults: .script([fault, fault]))
      await assertEqual(endpoint.push(create()).end, end)
      await assertEqual(endpoint.push(batch: [create()]).end, .whole(end))
    }
  }

  func testWhatAServerAsksForComesWithItsAnswer() async throws {
    let server = ReferenceServer()
    let endpoint = server.endpoint(
      named: "mine",
      faults: .script([.busy(status: 429, retryAfter: .seconds(2)), .backoff(.seconds(3))]))
    let refused = await endpoint.push(create())
    XCTAssertEqual(refused.notes.wishes, ServerWishes(retryAfter: .seconds(2)))
    XCTAssertEqual(
      refused.notes.call?.fields, [EndpointCall.Field(name: "Retry-After", value: "2")])
    await assertEqual(endpoint.push(create()).notes.wishes, ServerWishes(backoff: .seconds(3)))
  }

  func testACallIsKeptWithoutTheToken() async throws {
    let server = ReferenceServer()
    let endpoint = server.endpoint(named: "mine", faults: .script([.garbled(.before)]))
    let reply = await endpoint.push(create())
    let call = try XCTUnwrap(reply.notes.call)
    XCTAssertEqual(call.request, "PUT https://reference.example/notes/a?access_token=…")
    XCTAssertEqual(call.body, "<html>welcome, …, to the network of this hotel</html>")
    XCTAssertFalse("\(reply)".contains(endpoint.token))
  }

  func testACancelledPushSaysThatNothingHasLeft() async throws {
    let server = ReferenceServer()
    let endpoint = server.endpoint(named: "mine")
    let send = create()
    await withTaskGroup(of: PushEnd.self) { group in
      group.cancelAll()
      group.addTask { await endpoint.push(send).end }
      for await end in group { XCTAssertEqual(end, .unreachable) }
    }
    XCTAssertEqual(server.calls, [])
  }

  func testTimeGoesOnAsItIsTold() async throws {
    let server = ReferenceServer(skew: .seconds(-10), start: 1_000_000)
    let endpoint = server.endpoint(named: "mine")
    server.advance(by: .seconds(60))
    await assertEqual(endpoint.push(create()).notes.date, 1_050_001)
    XCTAssertEqual(server.documents(in: "notes")[id]?.time, 1_050_001)
  }

  func testADocumentThatCannotBeReadIsMended() async throws {
    let server = ReferenceServer()
    _ = await server.endpoint(named: "mine").push(create())
    server.setReadable(false, id, in: "notes")
    XCTAssertEqual(server.documents(in: "notes"), [:])
    server.setReadable(true, id, in: "notes")
    XCTAssertEqual(server.documents(in: "notes").count, 1)
  }

  func testTheSameSeedMakesTheSameHistory() async throws {
    for seed in UInt64(0)..<20 {
      let first = try await history(seed: seed)
      try await assertEqual(first, history(seed: seed), "seed \(seed)")
      XCTAssert(first.contains { $0.fault != nil }, "seed \(seed)")
    }
  }

  private func history(seed: UInt64) async throws -> [ServerCall] {
    let server = ReferenceServer()
    let endpoint = server.endpoint(named: "mine", faults: .seeded(seed, oneIn: 3))
    for number in 0..<40 {
      if number.isMultiple(of: 3) {
        _ = try? await endpoint.changes(in: "notes", from: .beginning)
      } else {
        _ = await endpoint.push(create("\(number)"))
      }
    }
    server.deliverLate()
    return server.calls
  }

  private func assertThrows(
    _ reason: EndpointError.Reason, line: UInt = #line, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      XCTFail("nothing was thrown", line: line)
    } catch let error as EndpointError {
      XCTAssertEqual(error.reason, reason, line: line)
      XCTAssertNotNil(error.notes.call, line: line)
    } catch {
      XCTFail("\(error)", line: line)
    }
  }
}
