import OneWaySynchronizer

/// Checks with lists that aren't whole, and with plans.
extension ContractCases {
  /// One item isn't named in a part of the list: of it nothing is known but that it stays.
  nonisolated(nonsending) func partialList(_ make: Maker) async throws {
    for isOneSession in [false, true] {
      try await inCase(make) { one in
        guard try await one.setForm(.part([])), try await one.setForm(.whole) else { return }
        guard isOneSession else { return try await partialList(one) }
        try await one.withSession { try await partialList(one, in: $0) }
      }
    }
  }

  private nonisolated(nonsending) func partialList(
    _ one: Case, in session: Case.Session? = nil
  ) async throws {
    let states = try await fillAndChange(one, in: session)
    let unnamed = states.keys[3]
    guard try await one.setForm(.part(Set(states.second.keys).subtracting([unnamed]))),
      let pass = try await one.pass(in: session)
    else { return }
    if pass.after[unnamed] == nil { try one.endCase(by: .lostUnnamed, [unnamed], during: .none) }
    // To refuse a list that isn't whole is right, too.
    one.judge(pass) { !pass.succeeded ? .untouched : $0 == unnamed ? .either : .renewed }
    guard try await one.setForm(.whole) else { return }
    try await cleanPass(one, in: session)
  }

  /// The source tells what changed: in good passes, and after an item or a removal failed.
  nonisolated(nonsending) func changesList(_ make: Maker) async throws {
    try await inChanges(make, repeatedPass)
    try await inChanges(make) { try await change($0, \.removed) }
    try await inChanges(make) { try await unremoved($0, .fail(.remove)) }
    for place in [1, 4] {
      try await inChanges(make) { one in
        let key = try await one.plainKeys()[place]
        try await failed(one, key, .fail(.content(key)))
      }
      try await inChanges(make) { one in
        let key = try await one.plainKeys()[place]
        try await one.withSession { try await failed(one, key, .fail(.content(key)), in: $0) }
      }
    }
  }

  private nonisolated(nonsending) func inChanges(_ make: Maker, _ body: Body) async throws {
    try await inCase(make) { one in
      if try await one.setForm(.changes) { try await body(one) }
    }
  }

  /// A plan leaves everything as it is, and leaves all to do that there was: for a new processor,
  /// and for the one that planned.
  nonisolated(nonsending) func plan(_ make: Maker) async throws {
    let states: [(SourceStates<ID>) -> [ID: Int]] = [{ $0.second }, { $0.removed }]
    for state in states {
      try await inCase(make) { try await plan($0, state) }
      try await inCase(make) { one in
        try await one.withSession { try await plan(one, state, in: $0) }
      }
    }
  }

  private nonisolated(nonsending) func plan(
    _ one: Case, _ state: (SourceStates<ID>) -> [ID: Int], in session: Case.Session? = nil
  ) async throws {
    let states = try await fillAndChange(one, to: state, in: session)
    guard let pass = try await one.pass(.plan, in: session) else { return }
    let changed = differing(pass.before, pass.after)
    let call = { (key: ID) in pass.notes.changed[key] }
    let (gone, new) = (
      changed.filter { pass.after[$0] == nil }, changed.filter { pass.before[$0] == nil }
    )
    try one.endCase(by: .removedByPlan, gone, during: .plan, in: call)
    try one.endCase(by: .downloadedByPlan, new, during: .plan, in: call)
    try one.endCase(by: .changedByPlan, changed, during: .plan, in: call)
    if case .failure(let error) = pass.result {
      return one.report(.passFailed("\(error)"), during: .plan)
    }
    try await cleanPass(one, in: session, touching: states.touched(by: state(states)))
  }
}
