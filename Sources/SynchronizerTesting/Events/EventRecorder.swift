public import OneWaySynchronizer

/// Reads a synchronizer's events in order, and keeps what it read in a form to compare.
///
/// ```swift
/// let recorder = EventRecorder(synchronizer.events)  // from here on
/// _ = try await synchronizer.sync()
/// let events = await recorder.eventsUntilRunEnd()
/// XCTAssertEqual(events.prefix(2).map(\.description), ["run 1 started", "pass 1 started"])
/// ```
///
/// Events are read when you ask for them and wait in the stream until then, as they do for any
/// subscriber: read along with a pass of many items, or some of its item events are dropped.
///
/// Reading has no time limit. It ends when the event comes, when the synchronizer goes away or
/// when the task is cancelled; the latter ends the recording, as it ends every `AsyncStream`.
/// One task reads at a time, which the compiler sees to: a recorder isn't `Sendable`.
public final class EventRecorder<ID: Hashable & Sendable> {
  private var iterator: AsyncStream<SyncEvent<ID>>.Iterator

  /// All events that were read, in order, those that a search passed over included.
  public private(set) var all: [RecordedEvent<ID>] = []

  /// Records a stream: pass `synchronizer.events`. What happened before isn't in it.
  public init(_ events: AsyncStream<SyncEvent<ID>>) {
    iterator = events.makeAsyncIterator()
  }

  /// Reads the next event; `nil` when there is none any more.
  public nonisolated(nonsending) func next() async -> RecordedEvent<ID>? {
    guard let event = await iterator.next(isolation: #isolation) else { return nil }
    let recorded = RecordedEvent(event)
    all.append(recorded)
    return recorded
  }

  /// Reads on to the next event that matches and returns it; `nil` when none comes any more.
  public nonisolated(nonsending) func next(
    where matches: (RecordedEvent<ID>) -> Bool
  ) async -> RecordedEvent<ID>? {
    while let event = await next() {
      if matches(event) { return event }
    }
    return nil
  }

  /// Reads on to the next event that matches and returns everything read on the way, that event
  /// included; or, if none comes, everything until the end of the stream.
  public nonisolated(nonsending) func events(
    until matches: (RecordedEvent<ID>) -> Bool
  ) async -> [RecordedEvent<ID>] {
    let start = all.count
    _ = await next(where: matches)
    return Array(all[start...])
  }

  /// Reads on to the end of the run.
  public nonisolated(nonsending) func eventsUntilRunEnd() async -> [RecordedEvent<ID>] {
    await events { $0.isRunEnd }
  }
}
