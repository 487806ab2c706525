import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Servers without lists: what is known is asked for one by one.
///
/// What others changed there never came.
final class ListlessTests: XCTestCase {
  private struct Plain: DocumentEndpoint {
    struct State: Sendable {
      var there: [String: Int64] = [:]
      var looks: [(id: String, known: String?)] = []
    }

    let state: Locked<State>

    func capabilities() async throws -> EndpointCapabilities { EndpointCapabilities(features: []) }

    func changes(
      in collection: String, from place: ChangesPlace
    ) async throws -> EndpointReply<ChangesAnswer> { EndpointReply<ChangesAnswer>(.withoutLists) }

    func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
      EndpointReply<PushEnd>(.answered(state.withLock { answer(request, &$0) }))
    }

    private func answer(_ request: PushRequest, _ state: inout State) -> PushAnswer {
      let id = request.id.text
      if request.kind == .look { state.looks.append((id, request.known?.text)) }
      if request.kind == .create { state.there[id] = 0 }
      guard let number = state.there[id] else { return PushAnswer(status: 404) }
      let version = DocumentVersion("\(number)")
      if request.kind == .create { return PushAnswer(status: 201, version: version) }
      if request.known == version { return PushAnswer(status: 304) }
      let copy = ServerCopy(value: ["n": DocumentValue(number)], version: version)
      return PushAnswer(status: 200, version: version, shown: .present(copy))
    }
  }

  private let server = Plain(state: Locked(Plain.State()))
  private let time = SyncedReplica.Time()

  private func replica(of count: Int) async throws -> SyncedReplica {
    let mine = try await SyncedReplica(server, time)
    for number in 0..<count { try await mine.save(id(number), ["n": 0]) }
    try await mine.sync()
    server.state.withLock { $0.looks = [] }
    return mine
  }

  private func id(_ number: Int) -> DocumentID { DocumentID("d\(number)") }

  func testWhatOthersChangedComesAndWhatIsAsItWasIsNotSentAgain() async throws {
    let mine = try await replica(of: 2)
    server.state.withLock { $0.there["d1"] = 7 }
    let report = try await mine.sync()
    XCTAssertEqual(report.received.map(\.id), [id(1)])
    try await assertEqual(mine.get(id(1)), ["n": 7])
    XCTAssertEqual(server.state.withLock { $0.looks.map(\.known) }, ["0", "0"])
    try await assertEqual(mine.sync().received, [])
  }

  func testAnEditMeetsWhatIsShown() async throws {
    let mine = try await replica(of: 1)
    try await mine.save(id(0), ["n": 0, "m": 1])
    server.state.withLock { $0.there["d0"] = 7 }
    let report = try await mine.sync(SyncWishes(ways: .pull, policies: [.merge]))
    XCTAssertEqual(report.lost, [])
    try await assertEqual(mine.get(id(0)), ["n": 7, "m": 1])
  }

  func testAHundredAreAskedForThoseFirstThatWereNotSeenForLongest() async throws {
    let mine = try await replica(of: 120)
    time.advance(by: .seconds(60))
    try await mine.sync()
    let first = server.state.withLock { state in
      defer { state.looks = [] }
      return state.looks.map(\.id)
    }
    XCTAssertEqual(first.count, 100)
    time.advance(by: .seconds(60))
    try await mine.sync()
    let second = server.state.withLock { $0.looks.map(\.id) }
    XCTAssertEqual(second.count, 100)
    XCTAssertEqual(Set(first + second).count, 120)
  }

  func testTogetherTheyAreTooManyToGo() async throws {
    let mine = try await replica(of: 8)
    for number in 0..<5 { server.state.withLock { $0.there["d\(number)"] = nil } }
    let report = try await mine.sync()
    XCTAssertEqual(report.refusedRemovals.map(\.count), [5])
    try await assertEqual(mine.get(id(0)), ["n": 0])
    server.state.withLock { for number in 0..<4 { $0.there["d\(number)"] = 0 } }
    try await mine.sync()
    try await assertEqual(mine.get(id(4)), nil)
    try await assertEqual(mine.get(id(0)), ["n": 0])
  }
}
