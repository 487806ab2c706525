import DocumentSync
import SyncTransport
import TransportTesting
import XCTest

@testable import DocumentEndpoints

/// What a REST service can't carry, as the model says to which a document belongs.
///
/// Only the rules of all models were looked at: a document of a model that can't be asked for was
/// stored, and then its sends ended every sync.
final class RestCarryingTests: XCTestCase {
  private let transport = MemoryTransport()
  private let milk = DocumentID("milk")

  private struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  /// Knows tasks alone.
  private static let tasksOnly: @Sendable (RestCall) throws -> RestLine = { call in
    guard call.model == "task" else { throw Unknown(description: "no \(call.model) is known") }
    return RestDialect().usualLine(of: call)
  }

  private func endpoint(_ change: (inout RestDialect) -> Void) throws -> RestEndpoint {
    let transport = transport
    var dialect = RestDialect()
    change(&dialect)
    return try RestEndpoint(
      server: "https://example.org/api", dialect: dialect, options: ServiceOptions(over: transport))
  }

  func testADocumentIsJudgedByItsOwnModel() async throws {
    let endpoint = try endpoint { $0.line = Self.tasksOnly }
    XCTAssertNil(endpoint.problem(with: milk, [:], in: "task"))
    XCTAssertEqual(endpoint.problem(with: milk, [:], in: "note"), "no note is known")
    let reply = await endpoint.push(.create(milk, [:], in: "note", key: "k"))
    XCTAssertEqual(reply.end, .impossible, "what is stored stays as it is")
    XCTAssertEqual(transport.log.count, 0)
  }

  func testAModelWhoseRowsAreOnlyChangedIsCarried() throws {
    let endpoint = try endpoint {
      $0.line = { call in
        guard call.verb != .create else { throw Unknown(description: "nothing is made here") }
        return RestDialect().usualLine(of: call)
      }
    }
    XCTAssertNil(endpoint.problem(with: milk, [:], in: "task"))
  }

  func testAModelWhoseNameMakesNoAddressIsTold() throws {
    let endpoint = try endpoint { _ in }
    for model in ["", "..", "."] {
      XCTAssertNotNil(endpoint.problem(with: milk, [:], in: model), model)
    }
    XCTAssertNil(endpoint.problem(with: milk, [:], in: "a b/c"))
  }

  func testWhatMakesNoRowOfADocumentIsAskedBeforeItIsStored() throws {
    let endpoint = try endpoint { dialect in
      dialect.writing = { content in
        guard content["text"] != nil else { throw Unknown(description: "a text is missing") }
        return content
      }
    }
    XCTAssertNil(endpoint.problem(with: milk, ["text": "a"], in: "task"))
    let problem = endpoint.problem(with: milk, [:], in: "task")
    XCTAssertEqual(problem, "no row can be made of it: a text is missing")
  }

  func testWhatCompletesACallCountsAndMayBeMissingForNow() throws {
    let mapped = try endpoint { dialect in
      dialect.line = Self.tasksOnly
      dialect.prepare = { $0.model = "task" }
    }
    XCTAssertNil(mapped.problem(with: milk, [:], in: "note"))
    let offline = try endpoint { $0.prepare = { _ in throw Unknown(description: "no token") } }
    XCTAssertNil(offline.problem(with: milk, [:], in: "note"))
  }
}
