import SyncLock

extension PassPerformer {
  /// What a pass is performed with.
  struct Equipment: Sendable {
    let processor: Processor
    let signal: StopSignal
    let hub: EventHub<ID>
    let timeline: Timeline
    let desk: any PassDesk<Item>
    /// Whether an error says nothing but that its call was cancelled.
    let isCancellation: @Sendable (any Error) async -> Bool
    /// What the workers prefer to run on; `nil`: what the caller runs on.
    let downloadExecutor: (any TaskExecutor)?
    /// A mark for the next call of a stage.
    let makeMark: @Sendable () -> StageMark
    /// Told of a call that hasn't returned by twice its time limit; what it answers is called once
    /// the call has.
    let callIsStuck: @Sendable (SyncStage, ID?) -> @Sendable () -> Void

    /// Makes a call of a stage, or of a download of an item, for as long as it may take.
    func limiting<Value: Sendable>(
      _ stage: SyncStage, of key: ID? = nil, to limit: Duration?,
      _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
      guard let limit else { return try await body() }
      return try await timeline.limiting(
        to: limit, on: signal.executor, isStuck: { callIsStuck(stage, key) }, body)
    }
  }
}
