import DocumentSync
import DocumentTesting
import XCTest

final class EndpointContractTests: XCTestCase {
  private static let all = ServerManners().capabilities.features

  func testTheReferenceServerKeepsTheContract() async {
    let result = await EndpointContract.check { ReferenceFixture() }
    XCTAssertEqual(result.description, "the contract is kept")
  }

  func testItKeepsItWithEqualTimesToo() async {
    let result = await EndpointContract.check {
      ReferenceFixture(ServerManners(pageSize: 5, stamps: .asTheClockSays))
    }
    XCTAssertEqual(result.description, "the contract is kept")
  }

  func testItKeepsItWithWhateverItCannotDo() async {
    for feature in Self.all.sorted(by: { "\($0)" < "\($1)" }) {
      var manners = ServerManners(pageSize: 5)
      manners.capabilities.features.remove(feature)
      let given = manners
      let result = await EndpointContract.check { ReferenceFixture(given) }
      XCTAssertEqual(result.violations, [], "without \(feature): \(result)")
    }
  }

  func testItKeepsItWhenConflictsShowNothingAndNothingIsMadeAnew() async {
    let result = await EndpointContract.check {
      ReferenceFixture(ServerManners(pageSize: 5, revival: .refused, showsConflicts: false))
    }
    XCTAssertEqual(result.violations, [], "\(result)")
    XCTAssertEqual(Set(result.notChecked.keys), [.revival])
  }

  func testWhatIsNotClaimedIsNotChecked() async {
    let result = await EndpointContract.check { PlainFixture() }
    XCTAssertEqual(result.violations, [], "\(result)")
    XCTAssertEqual(
      Set(result.notChecked.keys),
      [
        .checkpoints, .createOverExisting, .staleUpdate, .staleDeletion, .updateOfDeleted,
        .repeatedKey, .batch, .unreadableDocument, .forgetting, .revival, .collections, .portal,
        .noAnswer, .refusals,
      ])
    XCTAssert(
      result.description.contains("[batch] not checked: the server takes no batches"), "\(result)")
  }

  func testEveryFlawIsFoundOut() async {
    for flaw in Flaw.allCases {
      let result = await EndpointContract.check { FlawedFixture(flaw) }
      XCTAssertFalse(flaw.mustBeFound.isEmpty, "\(flaw)")
      for (check, matches) in flaw.mustBeFound {
        let isFound = result.violations.contains { $0.check == check && matches($0.problem) }
        XCTAssert(isFound, "\(flaw), \(check):\n\(result)")
      }
    }
  }

  func testEveryCheckFindsSomeFlaw() {
    let found = Set(Flaw.allCases.flatMap { $0.mustBeFound.map(\.0) })
    XCTAssertEqual(Set(EndpointCheck.allCases).subtracting(found), [])
  }

  func testAViolationNamesTheDocumentAndSaysWhatToMend() async throws {
    let result = await EndpointContract.check([.repeatedDeletion]) {
      FlawedFixture(.failsOnAbsence)
    }
    let text = try XCTUnwrap(result.violations.first?.description)
    XCTAssert(text.hasPrefix("[repeatedDeletion] \"one-"), text)
    XCTAssert(
      text.hasSuffix(
        ": it isn't there, and its removal was answered with 400; answer 404 or 410"), text)
  }

  func testOnlyTheChecksThatWereAskedForAreMade() async {
    let result = await EndpointContract.check([.pages]) { FlawedFixture(.failsOnAbsence) }
    XCTAssertEqual(result.description, "the contract is kept")
  }

  func testListsOfOnePageAreNoProofForThoseOfSeveral() async {
    let result = await EndpointContract.check { ReferenceFixture(ServerManners(pageSize: 100)) }
    XCTAssertEqual(result.violations, [], "\(result)")
    XCTAssertEqual(Set(result.notChecked.keys), [.pages, .checkpoints, .changesWhilePaging])
  }

  func testASecretInAnErrorIsFoundAsWell() async {
    let result = await EndpointContract.check([.emptyCollection]) {
      FlawedFixture(.tellsItsTokenInErrors)
    }
    XCTAssert(result.violations.contains { $0.problem == .secretShown }, "\(result)")
  }

  func testAFixtureThatFailsIsToldOfEachCheck() async {
    struct Broken: Error {}
    let result = await EndpointContract.check([.pages, .batch]) { () throws -> PlainFixture in
      throw Broken()
    }
    XCTAssertEqual(
      result.violations.map(\.problem),
      [.fixtureFailed("Broken()"), .fixtureFailed("Broken()")])
  }

  func testAServerThatIsReadOnlyCannotBeChecked() async {
    var manners = ServerManners()
    manners.capabilities.isReadOnly = true
    let given = manners
    let result = await EndpointContract.check { ReferenceFixture(given) }
    XCTAssertEqual(result.violations, [])
    XCTAssertEqual(result.notChecked.count, EndpointCheck.allCases.count)
  }
}
