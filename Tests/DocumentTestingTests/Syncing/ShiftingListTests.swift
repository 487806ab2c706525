import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Lists of everything whose rows shift over the pages' ends while they are read: what was missed
/// was removed here, though it was there.
final class ShiftingListTests: XCTestCase {
  private struct Listed: DocumentEndpoint {
    /// Whether it makes the ids itself.
    var makesKeys = false
    /// What a list names, what there is, and how much of it a page says that there is.
    struct State: Sendable {
      var named: [String] = []
      var there: Set<String> = []
      var total: Int64?
      var looks: [String] = []
      var creations = 0
      /// Whether single ones can't be asked for.
      var showsNone = false
    }

    let state: Locked<State>

    func capabilities() async throws -> EndpointCapabilities { EndpointCapabilities(features: []) }

    func makesKeys(in collection: String) -> Bool { makesKeys }

    func changes(
      in collection: String, from place: ChangesPlace
    ) async throws -> EndpointReply<ChangesAnswer> {
      let state = state.withLock { $0 }
      let copy = ServerCopy(value: ["n": 1], version: DocumentVersion("1"))
      var page = ChangePage(
        .everything, of: state.named.map { (id: DocumentID($0), state: .present(copy)) })
      page.order = .shifting(total: state.total)
      return EndpointReply<ChangesAnswer>(.page(page))
    }

    func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
      state.withLock { state in
        if request.kind == .create {
          state.creations += 1
          return EndpointReply<PushEnd>(.lost)
        }
        state.looks.append(request.id.text)
        if state.showsNone { return EndpointReply<PushEnd>(.answered(PushAnswer(status: 405))) }
        guard state.there.contains(request.id.text) else {
          return EndpointReply<PushEnd>(.answered(PushAnswer(status: 404)))
        }
        let copy = ServerCopy(value: ["n": 2], version: DocumentVersion("2"))
        return EndpointReply<PushEnd>(
          .answered(PushAnswer(status: 200, version: copy.version, shown: .present(copy))))
      }
    }
  }

  private let server = Listed(state: Locked(Listed.State()))

  private func list(_ named: [String], of total: Int64?, there: Set<String>) {
    server.state.withLock { ($0.named, $0.there, $0.total) = (named, there, total) }
  }

  private func replica() async throws -> SyncedReplica {
    list(["a", "b", "c", "d", "e"], of: nil, there: ["a", "b", "c", "d", "e"])
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.sync()
    return mine
  }

  func testWhatIsMissingIsAskedForBeforeItGoes() async throws {
    let mine = try await replica()
    list(["a", "b", "c"], of: nil, there: ["a", "b", "c", "d"])
    try await mine.sync()
    XCTAssertEqual(Set(server.state.withLock { $0.looks }), ["d", "e"])
    try await assertEqual(mine.get(DocumentID("d")), ["n": 2])
    try await assertEqual(mine.get(DocumentID("e")), nil)
    // Nobody can say that it's gone.
    server.state.withLock { $0.showsNone = true }
    try await mine.sync()
    try await assertEqual(mine.get(DocumentID("d")), ["n": 2])
  }

  /// What may have been made may be among what was missed.
  func testWhatMayHaveBeenMadeIsNotMadeAgainAfterAListThatMayLackIt() async throws {
    list(["a"], of: nil, there: ["a"])
    let server = Listed(makesKeys: true, state: server.state)
    let mine = try await SyncedReplica(server, SyncedReplica.Time())
    try await mine.save(.uuid7(), ["n": 7])
    for _ in 0..<3 { try await mine.trySync() }
    XCTAssertEqual(server.state.withLock { $0.creations }, 1)
    list(["a"], of: 1, there: ["a"])
    try await mine.trySync()
    XCTAssertGreaterThan(server.state.withLock { $0.creations }, 1)
  }

  func testWhereThePagesProveThatAllCameNothingIsAskedFor() async throws {
    let mine = try await replica()
    list(["a", "b", "c"], of: 3, there: ["a", "b", "c", "d"])
    try await mine.sync()
    XCTAssertEqual(server.state.withLock { $0.looks }, [])
    try await assertEqual(mine.get(DocumentID("d")), nil)
    list(["a", "b"], of: 3, there: ["a", "b", "c"])
    try await mine.sync()
    try await assertEqual(mine.get(DocumentID("c")), ["n": 2])
  }
}
