import XCTest

@testable import CatalogMirror

/// What a listing says of its own age, held against the clock and against what was copied last.
final class ListingDatesTests: XCTestCase {
  /// What the first page says of its dates, held against what is known.
  private func end(
    date: Int64? = nil, until: Int64? = nil, highest: Int64? = nil,
    _ configure: @escaping (inout ListingAssembly.Options) -> Void = { _ in }
  ) throws -> CatalogError? {
    var run = try Run(highest: highest) {
      $0.now = 100
      configure(&$0)
    }
    var page = run.page(["a"], claim: .whole)
    (page.header.date, page.header.validUntil) = (date, until)
    let action = run.assembly.fetched(
      Run.root, page: page, digest: Golden.hash("x"), isFramed: true)
    if case .fail(let error) = action { return error }
    XCTAssertEqual(try run.listing(action).header.date, date)
    return nil
  }

  func testAStateThatIsOlderThanTheLastOneIsRefusedUnlessAllowed() throws {
    XCTAssertEqual(
      try end(date: 6, highest: 7), .olderThanBefore(url: Run.root, date: 6, last: 7))
    XCTAssertNil(try end(date: 7, highest: 7))
    XCTAssertNil(try end(date: 6, highest: 7) { $0.allowsRollback = true })
    let sentence = "\(CatalogError.olderThanBefore(url: "u", date: 0, last: 86_400))"
    XCTAssertTrue(
      sentence.contains("1970-01-01T00:00:00Z") && sentence.contains("1970-01-02T00:00:00Z"),
      sentence)
  }

  func testAStateThatMayBeTakenNoLongerIsRefusedUnlessAllowed() throws {
    XCTAssertEqual(try end(until: 99), .expired(url: Run.root, at: 99, now: 100))
    XCTAssertNil(try end(until: 100))
    XCTAssertNil(try end(until: 99) { $0.allowsExpired = true })
  }

  func testAStateOfTheFutureIsRefusedButForTheDifferenceOfClocks() throws {
    XCTAssertEqual(try end(date: 111), .ofTheFuture(url: Run.root, date: 111, now: 100))
    XCTAssertNil(try end(date: 110))
  }

  /// The answer 304 says only that it is the same.
  func testWhatHasNotChangedExpiresAllTheSame() throws {
    var page = CatalogPage(format: .catalog, claim: .whole)
    page.header.validUntil = 99
    let record = PageRecord(url: Run.root, page: page, digest: Golden.hash("x"))
    for allows in [false, true] {
      var run = try Run(recorded: RecordedListing(pages: [record])) {
        ($0.now, $0.allowsExpired) = (100, allows)
      }
      let action = run.assembly.notModified(Run.root)
      if allows {
        XCTAssertTrue(try run.listing(action).isUnchanged)
      } else {
        XCTAssertEqual(action, .fail(.expired(url: Run.root, at: 99, now: 100)))
      }
    }
  }
}
