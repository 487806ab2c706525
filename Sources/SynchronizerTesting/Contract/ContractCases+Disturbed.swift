import OneWaySynchronizer

/// Checks in which passes are cut short or fail. Each case goes from the source's first state to
/// its second under one disturbance, and then once more without.
extension ContractCases {
  nonisolated(nonsending) func cancellation(_ make: Maker) async throws {
    for call in 1...(try await callsOfAPass(make)) {
      for disturbance in [Disturbance<ID>.cancelBefore(call: call), .cancelDuring(call: call)] {
        try await inCase(make) { one in
          try await interrupted(one, disturbance)
        }
      }
    }
  }

  nonisolated(nonsending) func interruptedDownload(_ make: Maker) async throws {
    for place in [1, 4] {
      for breaksOff in [false, true] {
        try await inCase(make) { one in
          let key = try await one.plainKeys()[place]
          try await interrupted(one, .cancelAtSource(.content(key), breaksOff: breaksOff))
        }
      }
    }
  }

  nonisolated(nonsending) func failedList(_ make: Maker) async throws {
    for disturbance in [Disturbance<ID>.fail(.fetch), .breakSource(.list)] {
      try await inCase(make) { one in
        try await fillAndChange(one)
        guard let pass = try await disturbed(one, disturbance) else { return }
        if case .success = pass.result { one.report(.errorSwallowed, during: disturbance) }
        one.judge(pass, disturbance) { _ in .untouched }
        try await cleanPass(one)
      }
    }
  }

  nonisolated(nonsending) func failedItem(_ make: Maker) async throws {
    for place in [1, 4] {
      for stopOnError in [false, true] {
        for isOurs in [false, true] {
          try await inCase(make) { one in
            let key = try await one.plainKeys()[place]
            try await failed(
              one, key, isOurs ? .fail(.content(key)) : .breakSource(.content(key)),
              stopOnError: stopOnError)
          }
        }
      }
    }
  }

  private nonisolated(nonsending) func failed(
    _ one: Case, _ key: ID, _ disturbance: Disturbance<ID>, stopOnError: Bool
  ) async throws {
    try await fillAndChange(one)
    var options = options
    options.stopOnError = stopOnError
    guard let pass = try await disturbed(one, disturbance, options: options) else { return }
    if !pass.failedKeys.contains(key) { one.report(.errorSwallowed, key, during: disturbance) }
    one.judge(pass, disturbance) { other in
      if other == key { .untouched } else { stopOnError ? .either : .renewed }
    }
    try await cleanPass(one)
  }

  /// A pass that may get anywhere, but leaves whole items only; and then one that completes.
  nonisolated(nonsending) func interrupted(_ one: Case, _ disturbance: Disturbance<ID>) async throws
  {
    let states = try await fillAndChange(one)
    guard let pass = try await disturbed(one, disturbance) else { return }
    one.judge(pass, disturbance) { _ in .either }
    let settled = states.downloads.intersection(pass.notes.committed)
    try await cleanPass(one, touching: states.downloads.subtracting(settled))
  }

  @discardableResult
  private nonisolated(nonsending) func fillAndChange(_ one: Case) async throws -> SourceStates<ID> {
    let states = try await fill(one)
    try await one.setSource(states.second)
    return states
  }

  /// A pass under a disturbance; `nil`, and noted as not checked, when that didn't come about.
  private nonisolated(nonsending) func disturbed(
    _ one: Case, _ disturbance: Disturbance<ID>, options: SyncOptions? = nil
  ) async throws -> Case.Pass? {
    guard let pass = try await one.pass(disturbance, options: options) else {
      findings.skip(check, because: "the fixture's source can't misbehave; see setInterception")
      return nil
    }
    if disturbance.isAtSource, !pass.notes.wasIntercepted {
      findings.skip(check, because: "it never happened that \(disturbance); see setInterception")
      return nil
    }
    return pass
  }

  private nonisolated(nonsending) func callsOfAPass(_ make: Maker) async throws -> Int {
    var calls = 0
    try await inCase(make) { one in
      try await fillAndChange(one)
      calls = try await one.pass()?.notes.calls ?? 0
    }
    return max(calls, 1)
  }
}

extension ContractCase.Pass {
  /// The keys of the items that the report says failed.
  var failedKeys: Set<Fixture.ID> {
    guard case .failure(let error as SyncError<Fixture.ID>) = result else { return [] }
    return Set(error.report.failures.compactMap(\.key))
  }
}
