import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Entries of lists that can't be read, and of which nobody knows which document they are.
///
/// Such a one was asked for by an id that was made up of its place, "wasn't there", and was never
/// asked for again, since the checkpoint had gone past it.
final class NamelessRowTests: XCTestCase {
  /// A server whose lists the test gives.
  private final class Lists: DocumentEndpoint {
    let pages = Locked<[ChangePage]>([])
    let asked = Locked<[String]>([])

    func capabilities() async throws -> EndpointCapabilities {
      EndpointCapabilities(features: [.preconditions, .changes, .tombstones])
    }

    func changes(in collection: String, from place: ChangesPlace) async throws -> EndpointReply<
      ChangesAnswer
    > {
      asked.withLock { $0.append("\(place)") }
      let page = pages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      return EndpointReply<ChangesAnswer>(page.map { .page($0) } ?? .unchanged)
    }

    func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
      asked.withLock { $0.append("look at \(request.id)") }
      return EndpointReply<PushEnd>(.answered(PushAnswer(status: 404)))
    }
  }

  private let lists = Lists()
  private let nameless = UnreadableEntry(id: nil, place: 1, reason: "it has no key")

  private func copy(_ id: String) -> DocumentChange {
    let copy = ServerCopy(value: ["n": DocumentValue(id)], version: DocumentVersion("v-\(id)"))
    return DocumentChange(id: DocumentID(id), state: .present(copy))
  }

  private func page(
    _ ids: String..., extent: ChangePage.Extent = .changes, isCut: Bool = false, at point: String
  ) -> ChangePage {
    ChangePage(
      extent: extent, documents: ids.map { copy($0) }, unreadable: isCut ? [nameless] : [],
      checkpoint: point)
  }

  func testItComesAgainWithItsListUntilItCanBeReadOrIsGone() async throws {
    let mine = try await SyncedReplica(lists, SyncedReplica.Time())
    lists.pages.withLock { [self] in
      $0 = [
        page("a", "b", extent: .everything, at: "1"), page("c", isCut: true, at: "2"),
        page("c", isCut: true, at: "3"), page("c", "d", at: "4"), page(at: "4"),
      ]
    }
    try await mine.sync()
    for _ in 0..<2 {
      try await assertEqual(mine.sync().failures.map(\.name), ["entry 1"])
      try await assertEqual(mine.store.read { try $0.failures() }.map(\.name), ["entry 1"])
    }
    let mended = try await mine.sync()
    XCTAssertEqual(mended.received.map(\.id), [DocumentID("d")])
    XCTAssertEqual(mended.failures, [])
    try await assertEqual(mine.store.read { try $0.failures() }, [])
    try await mine.sync()
    let since = ChangesPlace.since("1")
    XCTAssertEqual(
      lists.asked.withLock { $0 },
      ["\(ChangesPlace.beginning)", "\(since)", "\(since)", "\(since)"]
        + ["\(ChangesPlace.since("4"))"])
  }

  func testAListOfEverythingWithSuchARemovesNothingAndComesAgain() async throws {
    let mine = try await SyncedReplica(lists, SyncedReplica.Time())
    lists.pages.withLock { [self] in
      $0 = [
        page("a", "b", "c", "d", extent: .everything, at: "1"),
        page("a", extent: .everything, isCut: true, at: "2"),
        page("a", "b", "c", extent: .everything, at: "3"),
      ]
    }
    try await mine.sync()
    try await mine.sync()
    try await assertEqual(mine.counts().documents, 4)
    try await mine.sync()
    try await assertEqual(mine.counts().documents, 3)
  }

  func testOnceNothingHasChangedItIsGoneAndIsNeverAskedForByItsPlace() async throws {
    let mine = try await SyncedReplica(lists, SyncedReplica.Time())
    lists.pages.withLock { [self] in
      $0 = [page("a", extent: .everything, at: "1"), page("c", isCut: true, at: "2")]
    }
    for count in [0, 1, 0] {
      try await assertEqual(mine.sync().failures.count, count)
      try await assertEqual(mine.store.read { try $0.failures() }.count, count)
    }
    XCTAssertEqual(lists.asked.withLock { $0 }.filter { $0.hasPrefix("look") }, [])
  }

  func testAPlaceIsCountedOverAllPages() {
    var unread = UnreadEntries()
    _ = unread.note(page("a", "b", isCut: true, at: "1"))
    let second = unread.note(page("c", isCut: true, at: "2"))
    XCTAssertEqual(second.map(\.name), ["entry 4"])
    XCTAssertEqual(unread.nameless.count, 2)
    XCTAssertNil(unread.holding(page("c", at: "3")).checkpoint)
  }
}
