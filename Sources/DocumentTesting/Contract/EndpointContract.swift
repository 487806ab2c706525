import DocumentSync

/// Checks an endpoint of yours against what those who sync with it expect.
///
/// ```swift
/// func testItKeepsTheEndpointContract() async {
///   let result = await EndpointContract.check { try await NotesFixture() }
///   XCTAssert(result.violations.isEmpty, "\(result)")
/// }
/// ```
///
/// What the endpoint doesn't claim among its capabilities isn't asked of it, and listed as not
/// checked. Every check has a fixture of its own. There is no time limit: an endpoint that hangs
/// makes the check hang.
public enum EndpointContract {
  /// Runs checks, one after the other, and reports what is wrong.
  ///
  /// - Parameters:
  ///   - checks: Which ones; all of them by default. Leave out what your endpoint does differently
  ///     on purpose.
  ///   - makeFixture: Makes a fixture with empty collections.
  public static func check<Fixture: EndpointFixture>(
    _ checks: Set<EndpointCheck> = Set(EndpointCheck.allCases),
    makeFixture: () async throws -> Fixture
  ) async -> EndpointContractResult {
    var result = EndpointContractResult()
    for check in EndpointCheck.allCases where checks.contains(check) {
      do {
        let fixture = try await makeFixture()
        let findings = await findings(of: check, over: fixture)
        await fixture.tearDown()
        result.violations += findings.violations
        result.notChecked[check] = findings.notChecked
      } catch {
        result.violations.append(
          EndpointViolation(check: check, problem: .fixtureFailed("\(error)")))
      }
    }
    return result
  }

  private static func findings<Fixture: EndpointFixture>(
    of check: EndpointCheck, over fixture: Fixture
  ) async -> EndpointFindings {
    let findings = EndpointFindings(check: check)
    do {
      let one = EndpointCase(
        fixture, endpoint: try await fixture.makeEndpoint(), findings: findings)
      do {
        try await one.run(check)
      } catch let error as EndpointError {
        one.hear(error.notes, "\(error)")
        findings.report(.callFailed("\(error)"))
      }
    } catch CaseEnd.over {
      // What made it pointless to go on has been reported.
    } catch CaseEnd.notChecked(let reason) {
      findings.notChecked = reason
    } catch is CancellationError {
      findings.notChecked = "the task was cancelled"
    } catch {
      findings.report(.fixtureFailed("\(error)"))
    }
    return findings
  }
}

/// What ``EndpointContract`` found.
public struct EndpointContractResult: Sendable, Hashable {
  /// What is wrong, in the order in which it was found; empty when the contract is kept.
  public var violations: [EndpointViolation] = []
  /// Checks that couldn't be made, or not all of them, and why.
  public var notChecked: [EndpointCheck: String] = [:]
}

extension EndpointContractResult: CustomStringConvertible {
  /// A line for each violation and for each check that wasn't made.
  public var description: String {
    let skipped = notChecked.map { "[\($0.key.rawValue)] not checked: \($0.value)" }.sorted()
    let lines = violations.map(\.description) + skipped
    return lines.isEmpty ? "the contract is kept" : lines.joined(separator: "\n")
  }
}

/// Where the violations that one check finds are gathered, each once.
final class EndpointFindings {
  let check: EndpointCheck
  private(set) var violations: [EndpointViolation] = []
  /// Why the check, or a part of it, wasn't made.
  var notChecked: String?

  init(check: EndpointCheck) {
    self.check = check
  }

  func report(_ problem: EndpointViolation.Problem, _ id: DocumentID? = nil) {
    let violation = EndpointViolation(check: check, id: id, problem: problem)
    if !violations.contains(violation) { violations.append(violation) }
  }
}

/// Why a check ends before its end.
enum CaseEnd: Error {
  /// Something had to succeed and didn't: what comes after it would only repeat that in other
  /// words.
  case over
  /// It doesn't apply to the endpoint, for this reason.
  case notChecked(String)
}

/// One of the things that ``EndpointContract`` checks.
public enum EndpointCheck: String, Sendable, Hashable, CaseIterable {
  /// The list of an empty collection is empty, ends, and gives a checkpoint.
  case emptyCollection
  /// A document that was stored is listed and shown as it was sent, under the version that was
  /// answered.
  case createdDocument
  /// Documents and ids that are hard to carry come back as they went.
  case oddDocuments
  /// A list of several pages ends, and names every document.
  case pages
  /// What comes after the checkpoint of any page, with the pages up to that one, is everything.
  case checkpoints
  /// What changes while pages are asked for is told with a later page, or after the checkpoint.
  case changesWhilePaging
  /// Where nothing has changed, nothing is told that wasn't known.
  case nothingNew
  /// Of documents that are stored at the same time, none is missed after the checkpoint of another.
  case equalTimes
  /// A document that was changed is told, with its new content and another version.
  case updatedDocument
  /// A document that was removed is told, or missing from the next whole list.
  case deletedDocument
  /// To create what is there already is a conflict, and changes nothing.
  case createOverExisting
  /// To change what has been changed since is a conflict, and changes nothing.
  case staleUpdate
  /// To remove what has been changed since is a conflict, and changes nothing.
  case staleDeletion
  /// To change what was removed brings it not back.
  case updateOfDeleted
  /// To remove what was removed is answered with its absence, and is no failure.
  case repeatedDeletion
  /// The same request, sent again under the same key, has no second effect and the same answer.
  case repeatedKey
  /// The parts of a batch are judged one by one, and as many may be sent as the server says.
  case batch
  /// A document that can't be read is told, doesn't end the list, and isn't taken for removed.
  case unreadableDocument
  /// A checkpoint of a server that has forgotten it is answered so.
  case forgetting
  /// A document that was made anew under the id of a removed one is told as such.
  case revival
  /// What is stored in another collection isn't told of this one.
  case collections
  /// What a cancelled call says of its effect is true, and cancelling is no error of the server's.
  case cancelling
  /// A page that isn't the server's is taken for no success, no empty list, and no removal.
  case portal
  /// A request whose answer is lost is said to be lost, and not to have left no trace.
  case noAnswer
  /// What a busy server asks for is heard, and a refusal of the credentials is told as such.
  case refusals
  /// A refusal comes with the server's whole answer, and nowhere stands a secret.
  case notes
}
