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
    } catch is CaseIsOver {
      // What made it pointless to go on has been reported.
    } catch let skipped as NotChecked {
      findings.notChecked = skipped.reason
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
