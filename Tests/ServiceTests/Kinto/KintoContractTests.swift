import TestSupport
import DocumentSync
import DocumentEndpoints
import DocumentTesting
import SyncTransport
import XCTest

/// The endpoint over a real server keeps what those who sync with it expect of any.
final class KintoContractTests: XCTestCase {
  func testItKeepsTheEndpointContract() async throws {
    let account = try await KintoAccount.make()
    let result = await EndpointContract.check { KintoFixture(account) }
    XCTAssert(result.violations.isEmpty, "\(result)")
    // The server refuses whatever couldn't be read.
    XCTAssertEqual(
      Set(result.notChecked.keys), [.repeatedKey, .revival, .unreadableDocument], "\(result)")
  }

  func testItKeepsItInTheBucketOfTheAccount() async throws {
    let account = try await KintoAccount.make()
    let checks: Set<EndpointCheck> = [
      .createdDocument, .deletedDocument, .pages, .forgetting, .batch, .nothingNew, .staleUpdate,
    ]
    let result = await EndpointContract.check(checks) { KintoFixture(account, bucket: "default") }
    XCTAssert(result.violations.isEmpty, "\(result)")
    XCTAssertEqual(result.notChecked, [:], "\(result)")
  }
}

/// Collections of their own at a real server, as the contract sees them.
struct KintoFixture: EndpointFixture {
  let account: KintoAccount
  let bucket: String
  let collection: String
  let otherCollection: String?
  private let transport = TroubledTransport()

  init(_ account: KintoAccount, bucket: String? = nil) {
    let name = UUID().uuidString.lowercased()
    self.account = account
    self.bucket = bucket ?? "b-\(name)"
    (collection, otherCollection) = ("c-\(name)", "other-\(name)")
  }

  var secrets: [String] { [account.password, account.authorization] }

  func makeEndpoint() throws -> KintoEndpoint {
    let authorization = account.authorization
    return try KintoEndpoint(
      server: account.server.address, bucket: bucket, pageSize: pageSize,
      options: ServiceOptions(over: transport), authorization: { authorization })
  }

  func forgetEverything() async throws -> Bool {
    try await account.flush()
    try await account.register()
    return true
  }

  func setTrouble(_ trouble: EndpointTrouble?) -> Bool {
    transport.set(trouble)
    return true
  }
}
