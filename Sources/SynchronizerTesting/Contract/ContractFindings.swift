import SyncLock

/// Where violations are gathered: each one once, with the circumstance in which it was seen first.
final class ContractFindings: Sendable {
  private let state = Locked(State())

  private struct State {
    var violations: [Violation] = []
    var notChecked: [ContractCheck: String] = [:]
  }

  func add(_ violation: Violation) {
    state.withLock { state in
      let isKnown = state.violations.contains {
        $0.check == violation.check && $0.key == violation.key
          && $0.problem == violation.problem
      }
      if !isKnown { state.violations.append(violation) }
    }
  }

  func skip(_ check: ContractCheck, because reason: String) {
    state.withLock { $0.notChecked[check] = reason }
  }

  var result: ContractResult {
    state.withLock { ContractResult(violations: $0.violations, notChecked: $0.notChecked) }
  }
}
