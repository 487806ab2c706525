import TestSupport
import DocumentSync
import DocumentEndpoints
import DocumentTesting
import Foundation
import SyncTransport
import XCTest

/// Services of rows keep what those who sync with them expect of any, as far as they can.
final class RestContractTests: RestTestCase {
  func testASyncedServiceKeepsTheContractOfEndpoints() async throws {
    let result = try await result(over: "sync")
    XCTAssert(result.violations.isEmpty, "\(result)")
    XCTAssertEqual(Set(result.notChecked.keys), [.batch, .repeatedKey, .revival], "\(result)")
  }

  func testAServiceThatIsUpdatedOnlyKeepsItToo() async throws {
    let result = try await result(over: "plain")
    XCTAssert(result.violations.isEmpty, "\(result)")
  }

  private func result(over dialect: String) async throws -> EndpointContractResult {
    let address = try XCTUnwrap(service).address
    return await EndpointContract.check { [token] in
      RestFixture(address: address, name: dialect, token: token)
    }
  }
}

/// Models of their own at the service, as the contract sees them.
private struct RestFixture: EndpointFixture {
  let address: String
  let name: String
  let token: String
  let collection = "c-\(UUID().uuidString)"
  let otherCollection: String? = "o-\(UUID().uuidString)"
  private let transport = TroubledTransport()

  init(address: String, name: String, token: String) {
    (self.address, self.name, self.token) = (address, name, token)
  }

  var secrets: [String] { [token] }

  func makeEndpoint() throws -> RestEndpoint {
    try RestEndpoint(
      server: "\(address)/\(name)", dialect: RestTestCase.dialects[name] ?? RestDialect(),
      options: ServiceOptions(over: transport), authorization: { [token] in "Token \(token)" })
  }

  func forgetEverything() async throws -> Bool {
    _ = try await makeEndpoint().callProcedure("forget", of: collection)
    return true
  }

  func setReadable(_ isReadable: Bool, _ id: DocumentID) async throws -> Bool {
    guard name == "sync" else { return false }
    _ = try await makeEndpoint().callProcedure(
      isReadable ? "mend" : "spoil", of: collection, id: id)
    return true
  }

  func setTrouble(_ trouble: EndpointTrouble?) -> Bool {
    transport.set(trouble)
    return true
  }
}
