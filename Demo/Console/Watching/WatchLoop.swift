import SyncLock

/// Carries out a ``WatchPlan``: begins runs, waits until something ends, is due or is asked for,
/// and tells the service manager.
///
/// Ends when the calling task is cancelled, once all runs under way have ended.
public final class WatchLoop<Work: WatchWork>: Sendable {
  /// What the loop takes from the outside world.
  public struct World: Sendable {
    public var clock: any Clock<Duration> = ContinuousClock()
    /// From 0 up to 1, for the spread of waits.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }
    /// Who manages this program as a service.
    public var manager: @Sendable (ServiceMessage) -> Void = { _ in }
    /// How often the manager wants a sign of life at the least; `nil` for never.
    public var watchdogInterval: Duration?
    /// The system's monotonic clock in microseconds.
    public var monotonicMicroseconds: @Sendable () -> UInt64 = {
      ServiceManager.monotonicMicroseconds
    }

    /// The world without a manager.
    public init() {}
  }

  private enum Note: Sendable {
    /// Something is due, or has ended.
    case looked
    /// The sleep until then is over.
    case woke(Duration)
    case reload
  }

  private let work: Work
  private let world: World
  private let time: Timeline
  private let plan: Locked<WatchPlan<Work.Settings>>
  private let notes: AsyncStream<Note>
  private let inbox: AsyncStream<Note>.Continuation

  /// A loop over an order; nothing is run yet.
  public init(_ work: Work, _ order: WatchOrder<Work.Settings>, in world: World = World()) {
    self.work = work
    self.world = world
    time = Timeline(world.clock)
    plan = Locked(WatchPlan(order, at: .zero))
    (notes, inbox) = AsyncStream.makeStream()
  }

  /// Has the order read anew.
  public func reload() {
    inbox.yield(.reload)
  }

  /// Runs until the task is cancelled. To be called once.
  public func run() async {
    await withDiscardingTaskGroup { group in
      work.tell(.began(plan.withLock(\.counts)))
      world.manager(.ready)
      inbox.yield(.looked)
      var sleeps: [Duration] = []
      var nextSign = time.now
      for await note in notes {
        switch note {
        case .looked: break
        case .woke(let end): sleeps.removeAll { $0 == end }
        case .reload: await readAnew()
        }
        begin(in: &group)
        giveSign(&nextSign)
        sleep(in: &group, until: nextSign, &sleeps)
      }
      world.manager(.stopping)
    }
  }

  private func begin(in group: inout DiscardingTaskGroup) {
    let now = time.now
    let (jobs, counts) = plan.withLock { (jobs: $0.begin(at: now), counts: $0.counts) }
    for job in jobs {
      group.addTask { [self] in ended(job, await work.run(job)) }
    }
    world.manager(.status(counts.text))
  }

  /// Told by the run itself, so that the end of a run that was cancelled is told, too.
  private func ended(_ job: WatchJob<Work.Settings>, _ outcome: Work.Outcome) {
    let (now, random) = (time.now, world.random())
    let isFailure = work.isFailure(outcome)
    let next = plan.withLock {
      $0.ended(job.name, isFailure: isFailure, at: now, random: random)
    }
    work.tell(.ended(job, outcome, next: Task.isCancelled ? nil : next))
    inbox.yield(.looked)
  }

  private func readAnew() async {
    world.manager(.reloading(monotonicMicroseconds: world.monotonicMicroseconds()))
    do {
      let order = try await work.reload()
      let now = time.now
      let change = order.map { order in plan.withLock { $0.change(to: order, at: now) } }
      work.tell(change.map { .reloaded($0) } ?? .nothingToReload)
    } catch {
      work.tell(.notReloaded(error))
    }
    world.manager(.ready)
  }

  /// Twice as often as is wanted.
  private func giveSign(_ next: inout Duration) {
    guard let interval = world.watchdogInterval, time.now >= next else { return }
    world.manager(.watchdog)
    next = time.now + interval / 2
  }

  /// Sleeps until something is due. A sleep that has become too long goes on beside a shorter one.
  private func sleep(
    in group: inout DiscardingTaskGroup, until nextSign: Duration, _ sleeps: inout [Duration]
  ) {
    let sign = world.watchdogInterval.map { _ in nextSign }
    guard let end = [plan.withLock(\.nextDue), sign].compactMap({ $0 }).min(),
      !sleeps.contains(where: { $0 <= end })
    else { return }
    sleeps.append(end)
    group.addTask { [time, inbox] in
      try? await time.sleep(until: end)
      inbox.yield(.woke(end))
    }
  }
}
