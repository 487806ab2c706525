import DocumentTesting
import SyncLock
import XCTest

@testable import DocumentSync

/// Who hears the end of each request.
final class ListeningEndpointTests: StoreTestCase {
  private let server = ReferenceServer(skew: .seconds(600))
  private let heard = Locked<[HeardAnswer]>([])

  private func makeEndpoint(_ faults: ServerFault?...) -> ListeningEndpoint {
    ListeningEndpoint(
      server.endpoint(named: "ann", faults: .script(faults)),
      now: { [time] in time.withLock { $0 } },
      hear: { [heard] answer in heard.withLock { $0.append(answer) } })
  }

  private var signs: [Connectivity.Sign?] { heard.withLock { $0.map(\.sign) } }

  private var request: PushRequest { .create(milk, ["text": "milk"], in: "notes", key: "1") }

  func testEachEndShowsWhetherTheServerCanBeReached() async throws {
    let endpoint = makeEndpoint(
      nil, .unreachable, .answerLost, .breaks(status: 500, .before), .garbled(.before))
    for _ in 0..<5 { _ = await endpoint.push(request) }
    XCTAssertEqual(signs, [.answered, .unreachable, .silent, .answered])
    XCTAssertEqual(heard.withLock { $0.filter { $0.time != nil }.count }, 2)
  }

  func testListsShowItAsWell() async throws {
    let endpoint = makeEndpoint(nil, .unreachable, .answerLost, .unauthorized, .garbled(.before))
    for _ in 0..<5 { _ = try? await endpoint.changes(in: "notes", from: .beginning) }
    XCTAssertEqual(signs, [.answered, .unreachable, .silent, .answered])
  }

  func testFilesShowItAsWell() async throws {
    let endpoint = makeEndpoint(nil, .unreachable, .answerLost)
    let place = FilePlace(collection: "notes", document: milk, digest: "0")
    for _ in 0..<3 { _ = try? await endpoint.file(.find(place)) }
    XCTAssertEqual(signs, [.answered, .unreachable, .silent])
  }

  func testBatchesAndCapabilitiesShowItAsWell() async throws {
    let endpoint = makeEndpoint(nil, .unreachable, nil, .unreachable)
    for _ in 0..<2 { _ = await endpoint.push(batch: [request]) }
    for _ in 0..<2 { _ = try? await endpoint.capabilities() }
    XCTAssertEqual(signs, [.answered, .unreachable, .answered, .unreachable])
  }

  func testTheTimeOfAServerIsKeptOnceTwoAnswersAgreeAndNeverAPortals() async throws {
    let store = try await openStore()
    let keeper = ServerTimeKeeper(store, server: notes.server)
    let endpoint = ListeningEndpoint(
      server.endpoint(
        named: "ann", faults: .script([.garbled(.before), .garbled(.before), nil, nil, nil])),
      now: { [time] in time.withLock { $0 } },
      hear: { answer in if let time = answer.time { await keeper.heard(time) } })
    server.setTicking(false)
    var known: [Int64] = []
    for _ in 0..<5 {
      _ = await endpoint.push(request)
      known.append(try await store.read { try $0.time(of: notes.server).ahead })
    }
    XCTAssertEqual(known, [0, 0, 0, 600_000, 600_000])
  }
}
