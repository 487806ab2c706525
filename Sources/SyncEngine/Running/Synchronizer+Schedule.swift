import SyncLock

extension Synchronizer {
  /// Syncs at once and then on every interval, for as long as you read:
  ///
  /// ```swift
  /// for await result in synchronizer.syncs(every: .seconds(900)) {
  ///   if case .failure(let error) = result { show(error.localizedDescription) }
  /// }
  /// ```
  ///
  /// Nothing runs beside your loop: an element is a run that was made when you asked for it, and
  /// cancelling the task that reads ends the schedule (and its run, if nobody else waits for it).
  /// Intervals are counted from this call, by the synchronizer's clock; those that a long run
  /// or a slow reader misses are left out.
  ///
  /// - Parameters:
  ///   - interval: From the beginning of one run to that of the next; at least 1 ms.
  ///   - tolerance: How much later the system may wake the task, to save power. Default: its
  ///     choice.
  public func syncs(
    every interval: Duration, tolerance: Duration? = nil
  ) -> AsyncStream<Result<SyncReport<ID>, SyncError<ID>>> {
    let schedule = Schedule(every: max(interval, .milliseconds(1)), from: timeline.now)
    return AsyncStream { [timeline] in
      do {
        try await timeline.sleep(until: schedule.next(after: timeline.now), tolerance: tolerance)
        return .success(try await self.sync())
      } catch let error as SyncError<ID> {
        return .failure(error)
      } catch {
        return nil  // the task that reads was cancelled
      }
    }
  }
}
