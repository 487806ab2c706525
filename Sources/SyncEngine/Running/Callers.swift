/// The continuations of those who wait, and how they are resumed.
struct Callers<Item: SyncItem> {
  typealias ID = Item.ID
  typealias CallerID = RunState.CallerID

  /// What a pass came to, for those who waited for it.
  typealias PassResult = Result<SyncReport<ID>, SyncError<ID>>

  private var last: CallerID = 0
  var syncs: [CallerID: CheckedContinuation<SyncReport<ID>, any Error>] = [:]
  var plans: [CallerID: CheckedContinuation<SyncPlan<ID>, any Error>] = [:]
  var seekers: [CallerID: (key: ID, continuation: CheckedContinuation<Void, any Error>)] = [:]
  /// The calls of other synchronizers' stages, or of this one's, that wait here.
  var marks: [CallerID: StageMark] = [:]
  /// Removals that callers have allowed to the pass that they wait for.
  var allowances: [CallerID: Set<ID>] = [:]

  mutating func newID() -> CallerID {
    last += 1
    return last
  }

  /// Nothing needs to be remembered of a caller.
  mutating func forget(_ id: CallerID) {
    marks[id] = nil
    allowances[id] = nil
  }

  /// Takes callers out; what is returned resumes them, in the same order.
  mutating func take(
    _ ids: [CallerID], _ ending: RunState.Ending, passes: [PassReport<ID>]
  ) -> [@Sendable () -> Void] {
    let result = Self.result(for: ending, passes: passes)
    return ids.compactMap { id in
      if let caller = syncs.removeValue(forKey: id) { return { caller.resume(with: result) } }
      if let caller = plans.removeValue(forKey: id) {
        return { caller.resume(throwing: Self.error(in: result)) }
      }
      guard let seeker = seekers.removeValue(forKey: id) else { return nil }
      // The pass has ended well, and yet nobody could tell of the item.
      let error = Self.error(in: result, else: .leftOut(seeker.key))
      return { seeker.continuation.resume(throwing: error) }
    }
  }

  /// Takes a seeker out; what is returned tells it.
  mutating func take(
    _ id: CallerID, _ answer: SeekerBook<ID>.Answer
  ) -> (@Sendable () -> Void)? {
    guard let (_, seeker) = seekers.removeValue(forKey: id) else { return nil }
    return switch answer {
    case .held: { seeker.resume() }
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

  private static func result(
    for ending: RunState.Ending, passes: [PassReport<ID>]
  ) -> Result<SyncReport<ID>, any Error> {
    switch ending {
    case .result(let outcome): result(of: outcome, passes: passes).mapError { $0 }
    case .cancelledBeforeItBegan: .failure(refusal(.cancelled))
    case .left: .failure(CancellationError())
    }
  }

  /// What a pass that ended like this came to.
  static func result(of outcome: PassOutcome, passes: [PassReport<ID>]) -> PassResult {
    let report = SyncReport(passes: passes)
    return switch outcome {
    case .succeeded: .success(report)
    case .failed: .failure(SyncError(code: .failed, report: report))
    case .cancelled: .failure(SyncError(code: .cancelled, report: report))
    case .removalRefused(let count, let local):
      .failure(SyncError(code: .removalRefused(count: count, of: local), report: report))
    }
  }
}
