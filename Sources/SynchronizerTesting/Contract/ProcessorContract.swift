public import OneWaySynchronizer

/// Checks a processor of yours against what the engine, and the people whose data it holds, expect
/// of it.
///
/// ```swift
/// func testItKeepsTheProcessorContract() async {
///   let result = await ProcessorContract.check { NotesFixture() }
///   XCTAssert(result.violations.isEmpty, "\(result)")
/// }
/// ```
///
/// Every case gets a fixture of its own and runs real passes of a `Synchronizer` over it, many
/// of them cancelled or failed on purpose; one or two hundred passes of a few small items in all.
///
/// There is no time limit: a processor that hangs when it is cancelled makes the check hang.
public enum ProcessorContract {
  /// Runs checks, one after the other, and reports what is wrong.
  ///
  /// - Parameters:
  ///   - checks: Which ones; all of them by default. Leave out what your processor does
  ///     differently on purpose.
  ///   - options: The options that your program uses; `stopOnError` and `downloadPreview` are tried
  ///     both ways, and nothing limits what may be removed.
  ///   - makeFixture: Makes a fixture with an empty source and an empty store.
  public static nonisolated(nonsending) func check<Fixture: ProcessorFixture>(
    _ checks: Set<ContractCheck> = Set(ContractCheck.allCases),
    options: SyncOptions = SyncOptions(),
    makeFixture: nonisolated(nonsending) () async throws -> Fixture
  ) async -> ContractResult {
    let findings = ContractFindings()
    var options = options
    // What is checked is that the right items are removed, be they all.
    options.removalLimit = .unlimited
    for check in ContractCheck.allCases where checks.contains(check) {
      let cases = ContractCases<Fixture>(check: check, options: options, findings: findings)
      do {
        try await cases.run(makeFixture)
      } catch {
        findings.add(
          Violation(
            check: check, key: nil, problem: .fixtureFailed("\(error)"), circumstance: "setting up")
        )
      }
    }
    return findings.result
  }
}

/// What ``ProcessorContract`` found.
public struct ContractResult: Sendable {
  /// What is wrong, in the order in which it was found; empty when the contract is kept.
  public var violations: [Violation]
  /// Checks that couldn't be made, or not all of them, and why.
  public var notChecked: [ContractCheck: String]
}

extension ContractResult: CustomStringConvertible {
  /// A line for each violation and for each check that wasn't made.
  public var description: String {
    let skipped = notChecked.map { "[\($0.key.rawValue)] not checked: \($0.value)" }.sorted()
    let lines = violations.map(\.description) + skipped
    return lines.isEmpty ? "The contract is kept." : lines.joined(separator: "\n")
  }
}
