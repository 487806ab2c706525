import SyncLock
import SyncTransport

@testable import CatalogMirror
@testable import SyncFolder

/// One run after the other, each in a process of its own.
extension MirrorStory {
  /// A run as the plan has it, and a look at what is left.
  @discardableResult
  func run(_ plan: RunPlan) async -> MirrorReport? {
    let before = notes.withLock { $0.held }
    var weather = plan.weather
    weather.width = plan.concurrency * plan.streams
    world.note("a run: \(plan)")
    expectOrder(of: plan)
    web.open(weather)
    let vfs = ModelVFS(disk.fileSystem, seed: world.seed)
    let mirror = FolderMirror(plan.options(folder: Self.folder), in: environment(vfs))
    let task = Task(executorPreference: world.executor) { try? await mirror.sync() }
    let capacity = disk.capacity
    if let room = plan.room { disk.capacity = disk.used + Int64(room) }
    let isDead = prepare(plan) { task.cancel() }
    let report = await task.value
    await end(isDead.withLock { $0 })
    disk.capacity = capacity
    world.note("\(report.map { "\($0.outcome)" } ?? "no report")")
    await check(after: plan, held: before, isDead: isDead.withLock { $0 })
    order.withLock { $0 = nil }
    return isDead.withLock { $0 } ? nil : report
  }

  func environment(_ vfs: ModelVFS) -> MirrorEnvironment {
    let number = runs.withLock { runs in
      runs += 1
      return runs
    }
    return MirrorEnvironment(world, web, disk, vfs, from: date(ofRun: number))
  }

  /// In seconds since 1970: about a day after the run before, but that in one story of four the
  /// date is now and then ten years back or forty ahead.
  private func date(ofRun number: Int) -> Double {
    let date = 1_738_324_800 + Double(number) * 100_000
    guard world.seed % 4 == 0 else { return date }
    let year = 31_557_600.0
    return date + [0, -10 * year, 0, 40 * year][Int((world.seed / 4 + UInt64(number)) % 4)]
  }

  /// Sets the traps of the plan. Answers whether the process is dead, as long as it is asked.
  private func prepare(_ plan: RunPlan, _ cancel: @escaping @Sendable () -> Void) -> Locked<Bool> {
    let isDead = Locked(false)
    let (first, calls, changes) = (world.executor.steps, Locked(0), Locked(-1))
    // A call of the disk may come under a lock of the mirror's, and nobody is told anything then:
    // the run is cancelled after the step.
    let isToBeCancelled = Locked(false)
    let end: @Sendable () -> Void = { [self] in
      guard !isDead.withLock({ $0 }) else { return }
      switch plan.ending {
      case .itsOwn: return
      case .cancelled: return isToBeCancelled.withLock { $0 = true }
      case .killed: disk.kill()
      case .powerCut: world.draw { disk.crash(using: &$0) }
      }
      world.note("the process dies")
      isDead.withLock { $0 = true }
      web.cutOff()
      isToBeCancelled.withLock { $0 = true }
    }
    disk.onCall { [self] call in
      if isUserAtWork.withLock({ $0 }) { return nil }
      world.note(call.kind.rawValue, detail: "\(call.number) \(call.path)")
      if call.kind == .rename { isStale.withLock { $0 = true } }
      let count = calls.withLock { count in
        count += 1
        return count
      }
      let change = changes.withLock { change in
        if call.kind.changesDisk { change += 1 }
        return change
      }
      if call.kind.changesDisk, plan.ending.moment?.isChange(change) == true { end() }
      guard let (number, fault) = plan.diskFault, number == count else { return nil }
      world.note("which fails")
      return fault
    }
    world.executor.watch { [self] moment in
      guard case .step(let step) = moment else { return }
      if plan.ending.moment?.isStep(step - first) == true { end() }
      let isCancelled = isToBeCancelled.withLock { isCancelled in
        defer { isCancelled = false }
        return isCancelled
      }
      if isCancelled { cancel() }
      if plan.userComes == step - first { workInTheFolder() }
      if isStale.withLock({ $0 }) {
        isStale.withLock { $0 = false }
        checkTree()
      }
    }
    return isDead
  }

  /// The process ends; if it did so in an orderly way, it has nothing more to do.
  func end(_ isDead: Bool) async {
    web.shut()
    world.executor.watch(nil)
    disk.onCall { [world, isUserAtWork] call in
      if isUserAtWork.withLock({ $0 }) { return nil }
      world.fail("\(call) comes after the run's end")
      return nil
    }
    try? await world.clock.sleep(for: .seconds(10))
    disk.onCall(nil)
    if !isDead { disk.kill() }
  }
}

extension RunPlan.Ending {
  fileprivate var moment: RunPlan.Moment? {
    switch self {
    case .itsOwn: nil
    case .cancelled(let moment), .killed(let moment), .powerCut(let moment): moment
    }
  }
}

extension RunPlan.Moment {
  fileprivate func isStep(_ number: Int) -> Bool {
    if case .step(number) = self { true } else { false }
  }

  fileprivate func isChange(_ number: Int) -> Bool {
    if case .change(number) = self { true } else { false }
  }
}
