import SyncLock

/// What a sync would do, key by key; see ``Synchronizer/plan()``.
public struct SyncPlan<ID: Hashable & Sendable>: Sendable {
  /// Local items that would be removed.
  public var removals: Set<ID>
  /// Items that would be downloaded, in this order. Made anew each time that it is read, as of a
  /// million items the keys take more memory than the pass, and who only wants to know how it ended
  /// needs none of them.
  public var downloads: [ID] {
    get { keys() }
    set { keys = { newValue } }
  }
  private var keys: @Sendable () -> [ID]
  /// The pass that found it out. Its outcome is `removalRefused` if a sync would be refused.
  public var report: PassReport<ID>

  /// A plan made by hand, for tests of your own code.
  public init(
    removals: Set<ID> = [], downloads: [ID] = [], report: PassReport<ID> = PassReport(kind: .plan)
  ) {
    self.init(removals: removals, report: report) { downloads }
  }

  init(
    removals: Set<ID>, report: PassReport<ID>, downloads keys: @escaping @Sendable () -> [ID]
  ) {
    (self.removals, self.report, self.keys) = (removals, report, keys)
  }
}

extension Synchronizer {
  /// Finds out what a sync would do: a pass of the kind ``PassKind/plan`` up to `prepareDownload`.
  /// Nothing is removed and nothing downloaded.
  ///
  /// It takes its turn with runs: it waits for the pass under way, and who calls `sync()`
  /// meanwhile waits for it and gets a pass of their own after it. It is no run, and observers
  /// aren't told of it.
  ///
  /// - Throws: ``SyncError`` when a stage failed or ``cancel()`` was called, `CancellationError`
  ///   when the calling task was cancelled.
  public func plan() async throws -> SyncPlan<ID> {
    try await waiting(in: .plan) { id, continuation, state in
      state.callers.plans[id] = continuation
      return state.run.planArrived(id)
    }
  }

  /// Makes the plan, or fetches the one item, that a caller waits for.
  func takeTurn(of id: RunState.CallerID) async {
    let key = state.withLock { $0.callers.seekers[id]?.key }
    if let key { await fetch(key, for: id) } else { await makePlan(for: id) }
  }

  /// Makes a plan and tells its caller, if it still waits.
  private func makePlan(for id: RunState.CallerID) async {
    var pass = newPass(.plan, hub: EventHub(), desk: NobodysDesk())
    let report = await pass.run()
    let result = Self.result(of: report, pass)
    perform { $0.run.planEnded() }
    state.withLock { $0.callers.takePlanner(id) }?.resume(with: result)
  }

  private static func result(
    of report: PassReport<ID>?, _ pass: PassPerformer<Processor>
  ) -> Result<SyncPlan<ID>, any Error> {
    let passes = SyncReport(passes: report.map { [$0] } ?? [])
    guard let report, report.outcome != .cancelled else {
      return .failure(SyncError(code: .cancelled, report: passes))
    }
    if report.outcome == .failed { return .failure(SyncError(code: .failed, report: passes)) }
    let items = pass.downloads.items
    return .success(
      SyncPlan(removals: pass.removals, report: report) { items.map(\.id) })
  }
}
