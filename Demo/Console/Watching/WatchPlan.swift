/// Decides which jobs run when. It knows no clock: it's told the time.
///
/// A job runs at once when it's new or its settings have changed, and then whenever it's due, but
/// never twice at once. Of several that are due, the one that has waited longest goes first. No run
/// is cut short by a new order: a job that is in it no more ends its run and isn't run again.
public struct WatchPlan<Settings: Equatable & Sendable>: Equatable, Sendable {
  private enum Phase: Equatable {
    case waiting(until: Duration)
    case running(since: Duration)
  }

  private struct Entry: Equatable {
    var job: WatchJob<Settings>
    var phase: Phase
    /// Runs in a row that failed.
    var failures = 0
    /// Whether it has other settings than the run under way, or is back after it was gone.
    var isChanged = false
    /// Whether it's in the order no more.
    var isGone = false

    /// When its next run is due; `nil` while one is under way.
    var due: Duration? {
      if case .waiting(let until) = phase { until } else { nil }
    }
  }

  private var entries: [Entry]
  private var atOnce: Int

  /// A plan of an order that is carried out from now on.
  public init(_ order: WatchOrder<Settings>, at now: Duration) {
    entries = order.jobs.map { Entry(job: $0, phase: .waiting(until: now)) }
    atOnce = order.atOnce
  }

  /// How things stand.
  public var counts: WatchCounts {
    WatchCounts(
      jobs: entries.count { !$0.isGone }, running: running,
      failing: entries.count { !$0.isGone && $0.failures > 0 })
  }

  /// When there is something to begin; `nil` as long as first something has to end.
  public var nextDue: Duration? {
    guard running < atOnce else { return nil }
    return entries.compactMap(\.due).min()
  }

  private var running: Int { entries.count { $0.due == nil } }

  /// The jobs whose runs begin now.
  public mutating func begin(at now: Duration) -> [WatchJob<Settings>] {
    let due = entries.indices.compactMap { place in
      entries[place].due.flatMap { $0 <= now ? (due: $0, place: place) : nil }
    }
    let first = due.sorted { $0 < $1 }.prefix(max(0, atOnce - running))
    for (_, place) in first { entries[place].phase = .running(since: now) }
    return first.map { entries[$0.place].job }
  }

  /// A job's run has ended.
  /// - Parameters:
  ///   - isFailure: whether the next ones are to come more seldom.
  ///   - random: from 0 up to 1.
  /// - Returns: what comes next; `nil` where the job is gone.
  public mutating func ended(
    _ name: String, isFailure: Bool, at now: Duration, random: Double
  ) -> WatchNext? {
    guard let place = entries.firstIndex(where: { $0.job.name == name }),
      case .running(let began) = entries[place].phase
    else { return nil }
    if entries[place].isGone {
      entries.remove(at: place)
      return nil
    }
    let failures = isFailure ? entries[place].failures + 1 : 0
    let due = entries[place].job.timing.due(
      began: began, ended: now, failures: failures, random: random)
    let next = entries[place].isChanged ? now : due
    entries[place].phase = .waiting(until: next)
    entries[place].failures = failures
    entries[place].isChanged = false
    return WatchNext(wait: next - now, failures: failures)
  }

  /// Another order holds from now on.
  public mutating func change(to order: WatchOrder<Settings>, at now: Duration) -> WatchChange {
    var change = WatchChange()
    atOnce = order.atOnce
    for place in entries.indices.reversed() {
      let entry = entries[place]
      guard !entry.isGone, !order.jobs.contains(where: { $0.name == entry.job.name }) else {
        continue
      }
      change.removed.insert(entry.job.name, at: 0)
      if entry.due == nil { entries[place].isGone = true } else { entries.remove(at: place) }
    }
    for job in order.jobs { take(job, at: now, &change) }
    return change
  }

  private mutating func take(
    _ job: WatchJob<Settings>, at now: Duration, _ change: inout WatchChange
  ) {
    guard let place = entries.firstIndex(where: { $0.job.name == job.name }) else {
      entries.append(Entry(job: job, phase: .waiting(until: now)))
      return change.added.append(job.name)
    }
    let before = entries[place]
    guard before.job != job || before.isGone else { return }
    if before.isGone { change.added.append(job.name) } else { change.changed.append(job.name) }
    entries[place].job = job
    entries[place].isGone = false
    switch before.phase {
    case .running: entries[place].isChanged = true
    case .waiting: entries[place].phase = .waiting(until: now)
    }
  }
}
