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
  /// or a slow reader misses are left out. While runs fail, the time to the next one doubles, from
  /// twice the interval on; after one that succeeded it is the interval again. A run that was
  /// cancelled changes nothing.
  ///
  /// - Parameters:
  ///   - interval: From the beginning of one run to that of the next; at least 1 ms.
  ///   - longest: The longest time from a run that failed to the next one; the interval, if that is
  ///     longer. Default: an hour.
  ///   - tolerance: How much later the system may wake the task, to save power. Default: its
  ///     choice.
  public func syncs(
    every interval: Duration, backingOffTo longest: Duration = .seconds(3_600),
    tolerance: Duration? = nil
  ) -> AsyncStream<Result<SyncReport<ID>, SyncError<ID>>> {
    let schedule = Locked(
      Schedule(
        every: max(interval, .milliseconds(1)), backingOffTo: longest, from: timeline.now))
    return AsyncStream { [timeline] in
      let now = timeline.now
      do {
        let next = schedule.withLock { $0.next(after: now) }
        try await timeline.sleep(until: next, tolerance: tolerance)
        let report = try await self.sync()
        schedule.withLock { $0.runEnded(well: true) }
        return .success(report)
      } catch let error as SyncError<ID> {
        if error.code != .cancelled { schedule.withLock { $0.runEnded(well: false) } }
        return .failure(error)
      } catch {
        return nil  // the task that reads was cancelled
      }
    }
  }
}
