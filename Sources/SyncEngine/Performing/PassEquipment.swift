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
    /// How many workers are of use, where that may change.
    let crew: Crew?
    /// A mark for the next call of a stage.
    let makeMark: @Sendable () -> StageMark
  }
}
