import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// How often one sync sends what a server doesn't take just now.
///
/// Whatever was answered meanwhile (a list, a look, another collection, the rest of a batch) began
/// the count anew: a creation was sent four times, or as often as there was something else to send.
final class ThreeTriesTests: XCTestCase {
  private static let busy = PushEnd.answered(PushAnswer(status: 503))
  private static let troubles =
    [408, 425, 429, 500, 502, 503, 504, 507].map { PushEnd.answered(PushAnswer(status: $0)) }
    + [.lost, .unreadable]

  /// Answers one document so, takes all others, and keeps what was sent of which.
  private final class Sends: Sendable {
    private let sent = Locked<[DocumentID]>([])

    func count(_ id: DocumentID) -> Int { sent.withLock { $0.count { $0 == id } } }

    func answering(_ id: DocumentID, _ end: PushEnd) -> AnsweringEndpoint.Answering {
      { [self] request in
        guard request.kind != .look else {
          return EndpointReply<PushEnd>(.answered(PushAnswer(status: 404)))
        }
        sent.withLock { $0.append(request.id) }
        return request.id == id ? EndpointReply<PushEnd>(end) : AnsweringEndpoint.taking(request)
      }
    }
  }

  private func replica(
    _ server: AnsweringEndpoint, _ collections: String...
  ) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.collections += collections.map { SyncedCollection($0) }
    return try await SyncedReplica(server, SyncedReplica.Time(), setting)
  }

  func testACreationIsSentThreeTimesAtMost() async throws {
    for features in [[], [.preconditions]] as [Set<EndpointCapabilities.Feature>] {
      for end in Self.troubles {
        let sends = Sends()
        let server = AnsweringEndpoint(features, sends.answering(milk, end))
        let mine = try await replica(server)
        try await mine.save(milk, ["n": 1])
        for round in 1...2 {
          try await assertEqual(mine.trySync().sent, [])
          XCTAssertTrue((round...3 * round).contains(sends.count(milk)), "\(features) \(end)")
        }
        server.answer(sends.answering(DocumentID("another"), end))
        try await assertEqual(mine.trySync().sent.map(\.id), [milk], "\(features) \(end)")
      }
    }
  }

  func testAChangeAndADeletionAreSentThreeTimesAtMost() async throws {
    for end in Self.troubles {
      for isDeletion in [false, true] {
        let sends = Sends()
        let server = AnsweringEndpoint([.preconditions], AnsweringEndpoint.taking)
        let mine = try await replica(server)
        try await mine.save(milk, ["n": 1])
        try await mine.sync()
        if isDeletion { try await mine.delete(milk) } else { try await mine.save(milk, ["n": 2]) }
        server.answer(sends.answering(milk, end))
        try await mine.trySync()
        XCTAssertTrue((1...3).contains(sends.count(milk)), "\(end), \(isDeletion)")
      }
    }
  }

  func testWhatComesAfterItInItsCollectionWaitsAndOtherCollectionsGoOn() async throws {
    let sends = Sends()
    let server = AnsweringEndpoint([.preconditions], sends.answering(milk, Self.busy))
    let mine = try await replica(server, "tags")
    try await mine.save(milk, ["n": 1])
    try await mine.save(DocumentID("bread"), ["n": 1])
    let tags = (0..<9).map { DocumentID("tag \($0)") }
    for tag in tags { try await mine.save(tag, ["n": 1], in: "tags") }
    try await assertEqual(mine.trySync().sent.map(\.id), tags)
    XCTAssertEqual(sends.count(milk), 3)
    XCTAssertEqual(sends.count(DocumentID("bread")), 0)
  }

  func testTheOtherPartsOfABatchAreSentInTheSameSync() async throws {
    let sends = Sends()
    let server = AnsweringEndpoint(
      [.preconditions], batchEntries: 2, sends.answering(milk, Self.busy))
    let mine = try await replica(server)
    let others = (0..<9).map { DocumentID("note \($0)") }
    for id in [milk] + others { try await mine.save(id, ["n": 1]) }
    let report = try await mine.trySync()
    XCTAssertEqual(report.sent.map(\.id), others)
    XCTAssertEqual(report.failures.map(\.name), ["milk"])
    XCTAssertEqual(sends.count(milk), 3)
  }
}
