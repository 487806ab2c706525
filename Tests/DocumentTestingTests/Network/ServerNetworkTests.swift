import DocumentSync
import DocumentTesting
import XCTest

/// What each fault makes of a creation: what comes back, and what the server has afterwards and in
/// the end.
final class ServerNetworkTests: XCTestCase {
  private struct Row {
    var fault: ServerFault?
    var reply: String
    /// What it has right after the call.
    var has: [String]
    /// What it has after more calls.
    var hasLater: [String]
    var wishes = ServerWishes()
  }

  private static func row(
    _ fault: ServerFault?, _ reply: String, _ has: [String], later: [String]? = nil,
    wishes: ServerWishes = ServerWishes()
  ) -> Row {
    Row(fault: fault, reply: reply, has: has, hasLater: later ?? has, wishes: wishes)
  }

  private static let two = ServerWishes(retryAfter: .seconds(2))

  private let rows: [Row] = [
    row(nil, "201", ["a"]),
    row(.unreachable, "unreachable", []),
    row(.requestLost, "lost", []),
    row(.answerLost, "lost", ["a"]),
    row(.arrivesLate(after: 2), "lost", [], later: ["a"]),
    row(.arrivesTwice(after: 2), "201", ["a"]),
    row(.staleAnswer, "201", ["a"]),
    row(.breaks(status: 500, .before), "refused 500", []),
    row(.breaks(status: 502, .after), "refused 502", ["a"]),
    row(.busy(status: 429, retryAfter: .seconds(2)), "refused 429", [], wishes: two),
    row(.busy(status: 503, retryAfter: nil), "refused 503", []),
    row(.backoff(.seconds(3)), "201", ["a"], wishes: ServerWishes(backoff: .seconds(3))),
    row(.batchCut(after: 1), "lost", ["a"]),
    row(.batchShort(1), "201", ["a"]),
    row(.unauthorized, "refused 401", []),
    row(.forbidden, "refused 403", []),
    row(.garbled(.before), "garbled", []),
    row(.garbled(.after), "garbled", ["a"]),
    row(.befalls(.flush), "201", ["a"]),
  ]

  func testEveryFaultDoesWhatItSays() {
    for row in rows {
      var network = ServerNetwork(ServerState(), now: 1_000)
      network.setFaults(.script([row.fault]), of: "me")
      let exchange = network.call(.push(create("a")), from: "me")
      XCTAssertEqual(Self.summary(exchange.reply), row.reply, "\(row)")
      XCTAssertEqual(exchange.wishes, row.wishes, "\(row)")
      XCTAssertEqual(Self.ids(network), row.has, "\(row)")
      for _ in 0..<3 { _ = network.call(.capabilities, from: "me") }
      XCTAssertEqual(Self.ids(network), row.hasLater, "\(row)")
      XCTAssertEqual(network.state.events.count { $0.writer != nil }, row.hasLater.count, "\(row)")
    }
  }

  func testABatchIsCutInItsMiddle() {
    var network = ServerNetwork(ServerState(), now: 1_000)
    network.setFaults(.script([.batchCut(after: 2)]), of: "me")
    let reply = network.call(.batch(["a", "b", "c"].map(create)), from: "me").reply
    XCTAssertEqual(Self.summary(reply), "lost")
    XCTAssertEqual(Self.ids(network), ["a", "b"])
  }

  func testABatchIsAnsweredInPartOnly() {
    var network = ServerNetwork(ServerState(), now: 1_000)
    network.setFaults(.script([.batchShort(1)]), of: "me")
    let reply = network.call(.batch(["a", "b"].map(create)), from: "me").reply
    XCTAssertEqual(Self.summary(reply), "parts 201")
    XCTAssertEqual(Self.ids(network), ["a"])
  }

  func testALateRequestArrivesAfterThoseThatWereMadeLater() {
    var network = ServerNetwork(ServerState(), now: 1_000)
    network.setFaults(.script([.arrivesLate(after: 2)]), of: "me")
    _ = network.call(.push(create("a", "first")), from: "me")
    _ = network.call(.push(create("a", "second")), from: "they")
    XCTAssertEqual(network.state.events.map(\.writer), ["they"])
    _ = network.call(.capabilities, from: "they")
    XCTAssertEqual(network.state.events.map(\.writer), ["they"])
    let held = network.state.document(DocumentID("a"), in: "notes")
    XCTAssertEqual(held?.content, .value(["text": "second"]))
  }

  func testAnOldAnswerIsGivenToTheSameQuestionOnly() {
    var network = ServerNetwork(ServerState(), now: 1_000)
    let start = network.call(.changes(in: "notes", from: .beginning), from: "me").reply
    guard case .changes(.page(let page)) = start, let checkpoint = page.checkpoint else {
      return XCTFail("\(start)")
    }
    let question = ServerRequest.changes(in: "notes", from: .since(checkpoint))
    let old = network.call(question, from: "me").reply
    _ = network.call(.push(create("a")), from: "they")
    network.setFaults(.script([.staleAnswer, .staleAnswer, nil]), of: "me")
    XCTAssertEqual(network.call(question, from: "me").reply, old)
    XCTAssertNotEqual(
      network.call(.changes(in: "notes", from: .beginning), from: "me").reply, start)
    XCTAssertNotEqual(network.call(question, from: "me").reply, old)
  }

  func testARestoredServerHasWhatItsBackupHad() {
    var network = ServerNetwork(ServerState(), now: 1_000)
    _ = network.call(.push(create("a")), from: "me")
    network.suffer(.backUp)
    _ = network.call(.push(create("b")), from: "me")
    network.suffer(.restore)
    XCTAssertEqual(Self.ids(network), ["a"])
    network.suffer(.replacement)
    XCTAssertEqual(Self.ids(network), [])
  }

  func testTheServersDateIsThatOfItsOwnClock() {
    var network = ServerNetwork(ServerState(clock: ServerClock(skew: 60_000)), now: 1_000)
    XCTAssertEqual(network.call(.capabilities, from: "me").date, 61_001)
    network.suffer(.clockStep(.seconds(-61)))
    XCTAssertEqual(network.call(.capabilities, from: "me").date, 2)
    network.setFaults(.script([.requestLost]), of: "me")
    XCTAssertNil(network.call(.capabilities, from: "me").date)
  }

  func testCallsAreCountedWithWhatWentWrong() {
    var network = ServerNetwork(ServerState(), now: 1_000)
    network.setFaults(.script([nil, .requestLost]), of: "me")
    _ = network.call(.capabilities, from: "me")
    _ = network.call(.batch([create("a")]), from: "me")
    XCTAssertEqual(
      network.calls.map { "\($0.kind) \($0.fault.map { "\($0)" } ?? "")" },
      ["capabilities ", "batch(1) requestLost"])
  }

  // MARK: - Words

  private func create(_ id: String) -> PushRequest { create(id, "text") }

  private func create(_ id: String, _ text: String) -> PushRequest {
    .create(DocumentID(id), ["text": DocumentValue(text)], in: "notes", key: "key of \(id) \(text)")
  }

  private static func ids(_ network: ServerNetwork) -> [String] {
    (network.state.collections["notes"] ?? [:]).keys.map(\.text).sorted()
  }

  private static func summary(_ reply: ServerReply) -> String {
    switch reply {
    case .capabilities: "capabilities"
    case .changes: "changes"
    case .push(let answer): "\(answer.status)"
    case .batch(let answers):
      "parts " + answers.map { "\($0.status)" }.joined(separator: " ")
    case .file: "file"
    case .refused(let answer): "refused \(answer.status)"
    case .garbled: "garbled"
    case .lost: "lost"
    case .unreachable: "unreachable"
    }
  }
}
