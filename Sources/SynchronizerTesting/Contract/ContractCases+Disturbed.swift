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
        if pass.succeeded { one.report(.errorSwallowed, during: disturbance) }
        one.judge(pass, disturbance) { _ in .untouched }
        try await cleanPass(one)
      }
    }
  }

  nonisolated(nonsending) func failedItem(_ make: Maker) async throws {
    for place in [1, 4] {
      for stopOnError in [false, true] {
        var options = options
        options.stopOnError = stopOnError
        for isOurs in [false, true] {
          try await inCase(make, options: options) { one in
            let key = try await one.plainKeys()[place]
            try await failed(one, key, isOurs ? .fail(.content(key)) : .breakSource(.content(key)))
          }
        }
        try await inCase(make, options: options) { one in
          let key = try await one.plainKeys()[place]
          try await one.withSession { try await failed(one, key, .fail(.content(key)), in: $0) }
        }
        try await inCase(make, options: options) { one in
          let key = try await one.plainKeys()[place]
          try await revoked(one, .fail(.content(key)))
        }
      }
    }
  }

  /// An item fails, and then nothing: with a new processor for each pass, or in one session.
  nonisolated(nonsending) func failed(
    _ one: Case, _ key: ID, _ disturbance: Disturbance<ID>, in session: Case.Session? = nil
  ) async throws {
    try await fillAndChange(one, in: session)
    let reported = one.reported
    guard let pass = try await disturbed(one, disturbance, in: session),
      pass.notes.tried.contains(key)
    else { return }
    if !pass.failures.contains(where: { $0.key == key }) {
      one.report(.errorSwallowed, key, during: disturbance)
    }
    one.judge(pass, disturbance) { other in
      if other == key { .untouched } else { one.options.stopOnError ? .either : .renewed }
    }
    try one.endCase(ifMoreThan: reported)
    try await cleanPass(one, in: session)
  }

  /// What a pass brought half, or what its processor never noted, the source then takes back: what
  /// it has is what it had when all was held, and not what is held.
  nonisolated(nonsending) func revoked(_ one: Case, _ disturbance: Disturbance<ID>) async throws {
    let states = try await fillAndChange(one)
    let reported = one.reported
    guard let pass = try await disturbed(one, disturbance) else { return }
    one.judge(pass, disturbance) { _ in .either }
    try one.endCase(ifMoreThan: reported)
    try await one.setSource(states.first)
    try await cleanPass(one)
  }

  nonisolated(nonsending) func failedRemoval(_ make: Maker) async throws {
    for disturbance in [Disturbance<ID>.fail(.remove), .refuseRemoval] {
      try await inCase(make) { try await unremoved($0, disturbance) }
      try await inCase(make) { one in
        try await one.withSession { try await unremoved(one, disturbance, in: $0) }
      }
    }
  }

  /// An item isn't removed in one pass, and is in the next. No other arrives or vanishes, so that
  /// everything that is listed is held all the time.
  nonisolated(nonsending) func unremoved(
    _ one: Case, _ disturbance: Disturbance<ID>, in session: Case.Session? = nil
  ) async throws {
    try await fillAndChange(one, to: \.shrunk, in: session)
    let reported = one.reported
    guard let pass = try await disturbed(one, disturbance, in: session) else { return }
    // It succeeds where nobody asked for the removal.
    one.judge(pass, disturbance) { _ in pass.succeeded ? .renewed : .either }
    try one.endCase(ifMoreThan: reported)
    try await cleanPass(one, in: session)
  }

  /// A pass that may get anywhere, but leaves whole items only; and then one that completes.
  nonisolated(nonsending) func interrupted(_ one: Case, _ disturbance: Disturbance<ID>) async throws
  {
    let states = try await fillAndChange(one)
    let reported = one.reported
    guard let pass = try await disturbed(one, disturbance) else { return }
    // It may have come too late; of what was committed it is known already whether it is held.
    let isOver = pass.succeeded
    one.judge(pass, disturbance) { key in
      isOver && !pass.notes.committed.contains(key) ? .renewed : .either
    }
    if isOver { try one.endCase(ifMoreThan: reported) }
    let settled = states.downloads.intersection(pass.notes.committed)
    try await cleanPass(one, touching: states.downloads.subtracting(settled))
  }

  /// A pass under a disturbance; `nil`, and noted as not checked, when that didn't come about.
  private nonisolated(nonsending) func disturbed(
    _ one: Case, _ disturbance: Disturbance<ID>, in session: Case.Session? = nil
  ) async throws -> Case.Pass? {
    guard let pass = try await one.pass(disturbance, in: session) else {
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
