import DocumentSync
import SyncLock
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// Addresses: what makes none leaves everything in place, and what is secret in one isn't told.
final class RestAddressTests: RestTestCase {
  private let milk = DocumentID("milk")

  func testWhatMakesNoAddressIsAnErrorAndLeavesEverythingInPlace() async throws {
    let step = Locked<String?>(nil)
    let endpoint = try endpoint("plain") {
      $0.line = { call in
        var line = RestDialect().usualLine(of: call)
        if let step = step.withLock({ $0 }) { line.steps[0] = step }
        return line
      }
    }
    var options = ReplicaOptions(
      server: try XCTUnwrap(service).address, collections: [SyncedCollection("notes")])
    options.syncsEdits = false
    let replica = try await DocumentReplica(.memory, endpoint: endpoint, options: options)
    try await replica.save(DocumentID("old"), ["n": 0], in: "notes")
    try await replica.sync()
    try await replica.save(milk, ["n": 1], in: "notes")
    for bad in ["", ".."] {
      step.withLock { $0 = bad }
      do {
        try await replica.sync()
        XCTFail("it went to \"\(bad)\"")
      } catch let failure as DocumentSyncFailure {
        guard case .impossible = failure.reason else { return XCTFail("\(failure)") }
      }
      try await assertTrue(replica.isPending(milk))
      try await assertEqual(replica.count(), 2)
    }
    step.withLock { $0 = nil }
    try await assertEqual(replica.sync().sent.map(\.id), [milk])
  }

  func testEachStepAndEachPartOfAQueryIsEncoded() async throws {
    let endpoint = try endpoint("plain") {
      $0.line = { call in
        var line = RestDialect().usualLine(of: call)
        line.query = [("&a", "b =+&")]
        return line
      }
    }
    let reply = await endpoint.push(.look(at: DocumentID("a/b?ü#%41"), in: "n&=+"))
    let request = try XCTUnwrap(reply.notes.call?.request)
    XCTAssertTrue(
      request.hasSuffix("/plain/n%26%3D%2B/a%2Fb%3F%C3%BC%23%2541?%26a=b%20%3D%2B%26"), request)
  }

  func testASecretInAQueryIsNotTold() async throws {
    let endpoint = try endpoint("plain") { dialect in
      dialect.prepare = { $0.query.append(("api_key", "the-secret-key")) }
    }
    let reply = await endpoint.push(.look(at: milk, in: "notes"))
    let call = try XCTUnwrap(reply.notes.call)
    XCTAssertTrue(call.request.contains("api_key=…"), call.request)
    XCTAssertFalse("\(call.text) \(endpoint)".contains("the-secret-key"), "\(call)")
  }
}
