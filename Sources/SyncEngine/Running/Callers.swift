/// The continuations of those who wait, and how they are resumed.
struct Callers<Item: SyncItem> {
  typealias ID = Item.ID
  typealias CallerID = RunState.CallerID

  /// What passes came to, for those who waited for them.
  typealias PassResult = Result<SyncReport<ID>, SyncError<ID>>

  /// Who waits for a sync, or for its end.
  var syncs: [CallerID: SyncCaller] = [:]
  var plans: [CallerID: CheckedContinuation<SyncPlan<ID>, any Error>] = [:]
  var seekers: [CallerID: Seeker] = [:]
  /// The calls of other synchronizers' stages, or of this one's, that wait here.
  var marks: [CallerID: StageMark] = [:]
  /// The calls that are stuck, each with its number; the first is the one that everybody is told.
  var stuckCalls: [(number: CallerID, stage: SyncStage, key: ID?)] = []
  /// Removals that callers have allowed to the pass that they wait for.
  var allowances: [CallerID: Set<ID>] = [:]

  /// Who waits for an item, since so many passes had begun before its own first one.
  struct Seeker {
    let key: ID
    let policy: EnsurePolicy
    let since: Int
    let continuation: CheckedContinuation<EnsuredItem, any Error>
  }

  /// What those who wait for a sync are told, whatever type it is of.
  private final class Told: Sendable {
    let result: Result<SyncReport<ID>, any Error>

    init(_ result: Result<SyncReport<ID>, any Error>) { self.result = result }
  }

  mutating func wait(
    _ id: CallerID, _ caller: CheckedContinuation<SyncReport<ID>, any Error>, since earlier: Int
  ) {
    syncs[id] = SyncCaller(since: earlier) { told in
      caller.resume(with: (told as? Told)?.result ?? .failure(CancellationError()))
    }
  }

  /// Nothing needs to be remembered of a caller.
  mutating func forget(_ id: CallerID) {
    if !marks.isEmpty { marks[id] = nil }
    if !allowances.isEmpty { allowances[id] = nil }
  }

  /// Takes callers out; what is returned resumes them, in the same order.
  mutating func take(
    _ ids: [CallerID], _ ending: RunState.Ending, of history: RunHistory<ID>
  ) -> [@Sendable () -> Void] {
    for id in ids { forget(id) }
    if ending == .left { return ids.compactMap { leave($0) } }
    var results: [Int: Told] = [:]
    func told(since earlier: Int) -> Told {
      if let known = results[earlier] { return known }
      let told = Told(result(for: ending, report: history.report(since: earlier)))
      results[earlier] = told
      return told
    }
    return ids.compactMap { id in
      if let caller = syncs.removeValue(forKey: id) {
        let told = told(since: caller.since)
        return { caller.tell(told) }
      }
      if let caller = plans.removeValue(forKey: id) {
        let error = Self.error(in: told(since: history.begun).result)
        return { caller.resume(throwing: error) }
      }
      guard let seeker = seekers.removeValue(forKey: id) else { return nil }
      // The pass has ended well, and yet nobody could tell of the item.
      let error = Self.error(in: told(since: seeker.since).result, else: .leftOut(seeker.key))
      return { seeker.continuation.resume(throwing: error) }
    }
  }

  /// Takes a caller out whose own task was cancelled.
  private mutating func leave(_ id: CallerID) -> (@Sendable () -> Void)? {
    if let caller = syncs.removeValue(forKey: id) { return { caller.tell(nil) } }
    if let caller = plans.removeValue(forKey: id) {
      return { caller.resume(throwing: CancellationError()) }
    }
    guard let seeker = seekers.removeValue(forKey: id)?.continuation else { return nil }
    return { seeker.resume(throwing: CancellationError()) }
  }

  /// Takes out who waits for a plan.
  mutating func takePlanner(_ id: CallerID) -> CheckedContinuation<SyncPlan<ID>, any Error>? {
    forget(id)
    return plans.removeValue(forKey: id)
  }

  /// Takes out who waits for an item alone.
  mutating func takeSeeker(_ id: CallerID) -> CheckedContinuation<EnsuredItem, any Error>? {
    forget(id)
    return seekers.removeValue(forKey: id)?.continuation
  }

  /// Takes a seeker out; what is returned tells it.
  mutating func take(
    _ id: CallerID, _ answer: SeekerBook<ID>.Answer
  ) -> (@Sendable () -> Void)? {
    forget(id)
    guard let seeker = seekers.removeValue(forKey: id)?.continuation else { return nil }
    return switch answer {
    case .held: { seeker.resume(returning: .current) }
    case .heldUnchecked: { seeker.resume(returning: .notChecked) }
    case .notListed(let key): { seeker.resume(throwing: Self.refusal(.notListed(key))) }
    case .leftOut(let key): { seeker.resume(throwing: Self.refusal(.leftOut(key))) }
    case .failed(let failure): { seeker.resume(throwing: failure) }
    }
  }

  private static func refusal(_ code: SyncError<ID>.Code) -> SyncError<ID> {
    SyncError(code: code, report: SyncReport())
  }

  private static func error(
    in result: Result<SyncReport<ID>, any Error>, else code: SyncError<ID>.Code = .cancelled
  ) -> any Error {
    switch result {
    case .success(let report): SyncError(code: code, report: report)
    case .failure(let error): error
    }
  }

  private func result(
    for ending: RunState.Ending, report: SyncReport<ID>
  ) -> Result<SyncReport<ID>, any Error> {
    switch ending {
    case .result(let outcome): return Self.result(of: outcome, report).mapError { $0 }
    case .cancelledBeforeItBegan: return .failure(Self.refusal(.cancelled))
    case .left: return .failure(CancellationError())
    case .drained: return .success(report)
    case .stuck:
      let call = stuckCalls[0]
      return .failure(
        SyncError(code: .stuck(stage: call.stage, key: call.key), report: report))
    }
  }

  /// What passes came to of which the last ended like this.
  static func result(of outcome: PassOutcome, _ report: SyncReport<ID>) -> PassResult {
    switch outcome {
    case .succeeded: .success(report)
    case .failed: .failure(SyncError(code: .failed, report: report))
    case .cancelled: .failure(SyncError(code: .cancelled, report: report))
    case .removalRefused(let count, let local):
      .failure(SyncError(code: .removalRefused(count: count, of: local), report: report))
    }
  }
}

/// Who waits for a sync. Of no generic type, so that one of very many is found and told as fast as
/// can be.
struct SyncCaller: Sendable {
  /// How many passes had begun before the first one that it waits for.
  let since: Int
  /// Tells it what it is given, or, if that is nothing, that its own task was cancelled.
  let tell: @Sendable (AnyObject?) -> Void
}
