import SyncLock
import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Servers whose answers about one file never lead to it: it fails alone, after few requests.
final class FileBoundsTests: XCTestCase {
  private let rig = FileRig()

  /// Another replica of which contents of the larger file are answered by the test. The smaller one
  /// comes from the server.
  private func replica(
    _ reads: Locked<Int>, _ answer: @escaping @Sendable (Int64) -> EndpointReply<FileEnd>
  ) async throws -> SyncedReplica {
    let here = try await rig.withFile()
    try await rig.attach(here, Array("small".utf8), to: bread)
    try await here.sync()
    return try await rig.replica("there") { [size = Int64(rig.picture.count)] request in
      guard case .read(let file, let offset, _) = request, file.size == size else { return nil }
      reads.withLock { $0 += 1 }
      return answer(offset)
    }
  }

  private func assertFailsAlone(
    _ report: DocumentReport, _ words: String, _ there: SyncedReplica
  ) async throws {
    XCTAssertEqual(report.errors, [])
    XCTAssertEqual(report.failures.map(\.name), ["milk"])
    XCTAssertTrue(report.failures.first?.words.contains(words) ?? false, "\(report.failures)")
    try await assertEqual(rig.counts(there).down, 1, "the other one came")
  }

  /// It was asked for thousands of times a second, for ever.
  func testAShortPageInPlaceOfEachPartIsAskedForTwiceASyncAtMost() async throws {
    let reads = Locked(0)
    let there = try await replica(reads) { _ in
      EndpointReply<FileEnd>(.bytes(Array("log in".utf8), from: 0))
    }
    for sync in 1...3 {
      let report = try await there.sync()
      try await assertFailsAlone(report, "other bytes than it was asked for", there)
      XCTAssertLessThanOrEqual(reads.withLock { $0 }, 2 * sync)
    }
  }

  func testALongerPageThanTheFileIsNoPartOfIt() async throws {
    let reads = Locked(0)
    let long = [UInt8](repeating: 1, count: rig.picture.count + 1)
    let there = try await replica(reads) { _ in EndpointReply<FileEnd>(.bytes(long, from: 0)) }
    let report = try await there.sync()
    try await assertFailsAlone(report, "other bytes than it was asked for", there)
    XCTAssertEqual(reads.withLock { $0 }, 1)
  }

  func testAFileInVerySmallPiecesComesOverSeveralSyncs() async throws {
    let reads = Locked(0)
    let there = try await replica(reads) { [picture = rig.picture] offset in
      EndpointReply<FileEnd>(.bytes([picture[Int(offset)]], from: offset))
    }
    let first = try await there.sync()
    XCTAssertGreaterThan(rig.picture.count, 16)
    XCTAssertEqual(reads.withLock { $0 }, 16)
    try await assertFailsAlone(first, "the next sync goes on", there)
    try await assertEqual(there.sync().failures, [])
    try await assertEqual(rig.content(there), rig.picture)
  }

  func testAServerThatGivesOnlyTheWholeIsReadOnceMoreFromTheStart() async throws {
    let reads = Locked(0)
    let there = try await replica(reads) { [picture = rig.picture, reads] offset in
      reads.withLock { $0 } == 1
        ? EndpointReply<FileEnd>(.bytes(Array(picture[..<4]), from: 0))
        : EndpointReply<FileEnd>(.bytes(picture, from: 0))
    }
    try await assertEqual(there.sync().failures, [])
    try await assertEqual(rig.content(there), rig.picture)
  }

  /// One file that was too long for an answer ended each sync.
  func testAContentThatIsOfNoUseIsAskedForOnceASync() async throws {
    let reads = Locked(0)
    let there = try await replica(reads) { _ in EndpointReply<FileEnd>(.unusable("it's too long")) }
    let report = try await there.sync()
    try await assertFailsAlone(report, "it's too long", there)
    XCTAssertEqual(reads.withLock { $0 }, 1)
  }

  /// Whether it was there was answered each time, and began the count anew: the sync never ended.
  func testAnUploadInTroubleIsSentThreeTimesASyncAndHoldsUpNoOther() async throws {
    let errors: [EndpointError.Reason] = [
      .refused(status: 503, words: "", subject: .document), .lost, .unreadable("it isn't JSON"),
    ]
    for error in errors {
      let (rig, stores) = (FileRig(), Locked(0))
      let here = try await rig.replica { [size = Int64(rig.picture.count)] request in
        guard case .store(_, let facts, _) = request, facts.size == size else { return nil }
        // So that a sync without a bound ends, too.
        let count = stores.withLock { stores in
          stores += 1
          return stores
        }
        guard count > 20 else { throw EndpointError(error) }
        return nil
      }
      try await rig.attach(here)
      try await rig.attach(here, Array("another one, that is longer".utf8), to: bread)
      for sync in 1...2 {
        try await assertEqual(here.trySync().failures.map(\.name), ["milk"], "\(error)")
        XCTAssertEqual(stores.withLock { $0 }, 3 * sync, "\(error)")
        XCTAssertEqual(rig.server.state.files.count, 1, "the other one came")
      }
      stores.withLock { $0 = 20 }
      try await here.sync()
      XCTAssertEqual(rig.server.state.files.count, 2)
    }
  }

  func testWhereAServerKeepsNoFilesThatIsToldAndTheFileStays() async throws {
    let notes = try await ReplicaRig().replica(named: "here")
    try await notes.save(.milk, ["n": 1], in: "notes")
    let file = try await notes.attach(rig.picture, named: "a.png", to: "picture", of: .milk)
    for _ in 0..<2 {
      let report = try await notes.sync()
      let words = try XCTUnwrap(report.failures.first).words
      XCTAssertTrue(words.contains("the server keeps no files"), words)
    }
    try await assertEqual(notes.content(of: file.content), rig.picture)
    try await assertTrue(notes.life(of: .milk)?.sentences.last?.contains("keeps no files") ?? false)
    do {
      try await notes.attach(rig.picture, named: "b.png", to: "other", of: .milk)
      XCTFail("it's attached")
    } catch {
      XCTAssertEqual(error as? DocumentError, .noFiles)
    }
    try await notes.detach("picture", of: .milk)
    try await assertEqual(notes.sync().failures, [])
    await notes.close()
  }
}
