import DocumentSync
import Foundation
import SyncTransport
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// A test over a service of rows that speaks three dialects.
class RestTestCase: XCTestCase {
  let token = "token-of-the-tests"
  private(set) var service: LoopbackService?

  override func setUpWithError() throws {
    service = try LoopbackService(
      Programs.find("python3"), "serve-rows.py", [token], in: temporaryFolder())
  }

  override func tearDownWithError() throws { try service?.stop() }

  /// An endpoint for the dialect of that name.
  func endpoint(_ name: String, _ change: (inout RestDialect) -> Void = { _ in }) throws
    -> RestEndpoint
  {
    var dialect = try XCTUnwrap(Self.dialects[name])
    change(&dialect)
    return try RestEndpoint(
      server: try XCTUnwrap(service).address + "/" + name, dialect: dialect,
      authorization: { [token] in "Token \(token)" })
  }

  static let dialects: [String: RestDialect] = {
    var (sync, old) = (RestDialect(), RestDialect())
    (sync.rows, sync.row) = ("results", "result")
    (sync.modified, sync.deleted) = ("modified_date", "is_deleted")
    sync.conflict = "is_conflict"
    (old.rows, old.row) = ("items", "item")
    (old.key, old.hasNumericKeys, old.endsInSlash) = ("nr", true, true)
    old.problem = { $0["ok"]?.bool == false ? $0["why"]?.string ?? "it says no more" : nil }
    return ["plain": RestDialect(), "sync": sync, "old": old]
  }()

}
