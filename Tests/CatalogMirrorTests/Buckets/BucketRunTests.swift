import SyncTransport
import XCTest

@testable import CatalogMirror

/// Runs over a bucket in memory: who is signed for, and what a listing may not cost.
final class BucketRunTests: RunTestCase {
  private static let server = "https://bucket.test"
  private static let list = server + "/b/?encoding-type=url&list-type=2&prefix=p%2F"

  override var environment: MirrorEnvironment {
    var environment = super.environment
    environment.variables = { ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "s3cr3t"] }
    return environment
  }

  private func page(_ keys: [String], next: String? = nil) -> Site.Answer {
    let contents = keys.map { key in
      """
      <Contents><Key>p/\(key)</Key><LastModified>2024-01-02T03:04:05.000Z</LastModified>\
      <ETag>"\(key)"</ETag><Size>\(key.utf8.count)</Size></Contents>
      """
    }
    return .text(
      """
      <ListBucketResult><IsTruncated>\(next != nil)</IsTruncated>\(contents.joined())\
      \(next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? "")\
      <KeyCount>\(keys.count)</KeyCount></ListBucketResult>
      """)
  }

  private func after(_ token: String) -> String {
    Self.list.replacing("?", with: "?continuation-token=\(token)&")
  }

  private func syncBucket() async throws -> MirrorReport {
    try await sync { options in
      options.catalog = "s3://b/p"
      options.access.bucket.endpoint = Self.server
    }
  }

  private func serve(_ keys: String...) throws {
    for key in keys { try site.answer(Self.server + "/b/p/\(key)", .text(key)) }
  }

  func testPagesAndItemsAreSignedForTheBucketsOriginOnly() async throws {
    try site.answer(Self.list, page(["a", "bb"], next: "t"))
    try site.answer(after("t"), page(["ccc"]))
    try serve("a", "ccc")
    try site.answer(
      Self.server + "/b/p/bb", .status(307, ("Location", "https://elsewhere.test/bb")))
    try site.answer("https://elsewhere.test/bb", .text("bb"))
    assertEnds(try await syncBucket())
    XCTAssertEqual(try tree(), ["a": "a", "bb": "bb", "ccc": "ccc"])
    for request in site.log {
      let isSigned = request.headers["Authorization"]?.hasPrefix("AWS4-HMAC-SHA256 ") ?? false
      XCTAssertEqual(isSigned, request.address.host == "bucket.test", "\(request.address)")
    }
    for (name, text) in try files(below: folder) {
      XCTAssertFalse(text.contains("s3cr3t"), name)
      XCTAssertFalse(text.contains("AWS4-HMAC"), name)
    }
  }

  func testAnErrorInThePlaceOfALaterPageRemovesNothing() async throws {
    try site.answer(Self.list, page(["a", "bb"], next: "t"))
    try site.answer(after("t"), page(["ccc"]))
    try serve("a", "bb", "ccc")
    _ = try await syncBucket()
    for answer in [
      Site.Answer.text("<Error><Code>InternalError</Code></Error>"), .text(""), .status(404),
      .text("<ListBucketResult><IsTruncated>false</IsTruncated>"), page(["a"], next: "t"),
    ] {
      try site.answer(after("t"), answer)
      assertEnds(try await syncBucket(), .failed)
      XCTAssertEqual(try tree().count, 3)
    }
  }

  func testTokensThatDifferInEachListingCostNoTransfer() async throws {
    try serve("a", "bb")
    for token in ["one", "two"] {
      try site.answer(Self.list, page(["a"], next: token))
      try site.answer(after(token), page(["bb"]))
      assertEnds(try await syncBucket())
    }
    XCTAssertEqual(site.asked, ["/b/", "/b/"])
  }

  func testTheFoldersCatalogIsTheServerTheBucketAndThePrefix() async throws {
    try site.answer(Self.list, page(["a"]))
    try serve("a")
    _ = try await syncBucket()
    for (catalog, endpoint) in [("s3://b/q", Self.server), ("s3://b/p", "https://other.test")] {
      do {
        _ = try await sync { options in
          options.catalog = catalog
          options.access.bucket.endpoint = endpoint
        }
        XCTFail("\(catalog) at \(endpoint)")
      } catch MirrorError.otherCatalog(let kept, _) {
        XCTAssertEqual(kept, "https://bucket.test/b/p")
      }
    }
  }
}
