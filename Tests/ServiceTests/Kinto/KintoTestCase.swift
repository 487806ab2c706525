import TestSupport
import DocumentEndpoints
import DocumentSync
import SyncTransport
import XCTest

/// An account, with a bucket and a collection that are the test's own, at the one server of this
/// process.
class KintoTestCase: XCTestCase {
  private(set) var bucket = ""
  let collection = "notes"
  private var account: KintoAccount?

  override func setUp() async throws {
    bucket = "b-\(UUID().uuidString.lowercased())"
    account = try await KintoAccount.usual()
  }

  /// The account.
  func me() throws -> KintoAccount { try XCTUnwrap(account) }

  /// Has the bucket and the collection made.
  func makeCollection() async throws {
    try await me().ask(.put, "/buckets/\(bucket)", "{}")
    let answer = try await me().ask(.put, "/buckets/\(bucket)/collections/\(collection)", "{}")
    XCTAssertEqual(answer.status, 201)
  }

  /// Where the records are.
  var records: String { "/buckets/\(bucket)/collections/\(collection)/records" }

  /// Stores a record, past any endpoint.
  @discardableResult
  func put(
    _ id: String, _ data: String = "{}", fields: [(String, String)] = []
  ) async throws -> HTTPAnswer {
    try await me().ask(.put, "\(records)/\(id)", "{\"data\": \(data)}", fields: fields)
  }

  /// The bucket as an endpoint.
  func endpoint(
    bucket other: String? = nil, pageSize: Int? = nil, over transport: (any Transport)? = nil,
    as account: KintoAccount? = nil
  ) throws -> KintoEndpoint {
    let account = try account ?? me()
    let authorization = account.authorization
    return try KintoEndpoint(
      server: account.server.address, bucket: other ?? bucket, pageSize: pageSize,
      options: transport.map { ServiceOptions(over: $0) } ?? ServiceOptions(),
      authorization: { authorization })
  }

  /// The ids of the records that an answer lists.
  func ids(_ answer: HTTPAnswer) throws -> [String] {
    try XCTUnwrap(try answer.data?.elements).compactMap { $0["id"]?.string }
  }
}
