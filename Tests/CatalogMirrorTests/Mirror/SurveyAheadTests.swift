import TestSupport
import SyncDatabase
import SyncLock
import SyncText
import XCTest

@testable import CatalogMirror
@testable import SyncFetching

/// All items are looked at beside the listing once its lines are asked for, and not before.
final class SurveyAheadTests: XCTestCase {
  private struct Failure: Error {}

  /// An index of two items, of which one was read from a line.
  private func index() async throws -> MirrorIndex {
    let index = try await emptyIndex()
    var entry = CatalogEntry.plain("a")
    entry.line = LineDigest(bytes: Array(0..<16))
    try await index.write { [entry] in
      try $0.record([.content(entry, .plain()), .content(.plain("b"), .plain())])
    }
    return index
  }

  private func before(_ index: MirrorIndex) -> CatalogSource.Before {
    var before = CatalogSource.Before()
    before.knownLines = { try index.readAndWait { try $0.knownLines() } }
    return before
  }

  private func fetched(isUnchanged: Bool = false) -> CatalogSource.Fetched {
    var listing = Listing(format: .catalog)
    listing.isUnchanged = isUnchanged
    return CatalogSource.Fetched(listing: listing, pages: [])
  }

  func testItBeginsWithTheLines() async throws {
    let index = try await index()
    let ahead = SurveyAhead(index)
    let following = ahead.following(before(index))
    let (_, survey) = try await ahead.look {
      XCTAssertFalse(try following.knownLines().isEmpty)
      return fetched()
    }
    XCTAssertEqual(survey, ItemSurvey(count: 2))
  }

  func testALookThatNobodyWaitsForAnyMoreEnds() async throws {
    let index = try await index()
    let look = Task {
      try await index.read { access in
        withUnsafeCurrentTask { $0?.cancel() }
        return try access.survey()
      }
    }
    let result = await look.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
  }

  func testWhereNobodyAsksForLinesNothingIsLookedAt() async throws {
    let index = try await index()
    await index.close()  // so that any look would be an error
    let (_, survey) = try await SurveyAhead(index).look { fetched(isUnchanged: true) }
    XCTAssertNil(survey)
  }

  func testWhereNoLineIsKnownNothingIsLookedAt() async throws {
    let ahead = SurveyAhead(try await index())
    let following = ahead.following(CatalogSource.Before())
    let (_, survey) = try await ahead.look {
      XCTAssert(try following.knownLines().isEmpty)
      return fetched()
    }
    XCTAssertNil(survey)
  }

  #if DEBUG
    /// The look began behind two locks: that of the page, and that of who asks once.
    func testLinesAreLookedForBehindNoLock() throws {
      let counts = Locked<[Int]>([])
      let known = KnownOnce {
        let count = HeldLocks.count
        counts.withLock { $0.append(count) }
        return .none
      }
      let catalog = try XCTUnwrap(URLReference("https://h/c.ndjson"))
      let sink = PageSink(ByteAllowance(1_000)) { _ in
        LineSieve(known.lines) { _ in
          CatalogLines(catalog: catalog, base: catalog, beginsWithEntry: false, most: 10)
        }
      }
      try sink.begin(ByteAnswer(url: catalog.text, isFramed: true))
      try Array("{\"catalog\":1}\n{\"key\":\"a\"}\n".utf8).withUnsafeBytes { try sink.write($0) }
      _ = try sink.take()
      XCTAssertEqual(counts.withLock { $0 }, [0])
    }
  #endif

  func testAListingThatCannotBeHadIsTheErrorThatIsTold() async throws {
    let index = try await index()
    let ahead = SurveyAhead(index)
    let following = ahead.following(before(index))
    await assertThrows(
      Failure.self,
      try await ahead.look {
        _ = try following.knownLines()
        throw Failure()
      })
  }
}
