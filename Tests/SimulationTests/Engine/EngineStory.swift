import OneWaySynchronizer
import SyncLock

/// Callers who come at random moments and want all sorts of things of one synchronizer.
struct EngineStory: Sendable {
  let world: World
  let processor: SimulatedProcessor
  let synchronizer: Synchronizer<SimulatedProcessor>
  private var book: EngineBook { processor.book }

  init(_ world: World) {
    self.world = world
    processor = SimulatedProcessor(world, faults: [0, 5, 20, 100][world.number(0...3)])
    synchronizer = Synchronizer(
      processor: processor, options: SyncOptions(), requestWindow: RequestWindow(),
      clock: world.clock, executor: world.executor)
  }

  /// The whole story: trouble, then peace, then nothing to do.
  func run() {
    world.executor.watch { [book] in if $0 == .idle { book.checkIdleness() } }
    let stream = synchronizer.events
    let events = Task(executorPreference: world.executor) { [world] in
      var grammar = EventGrammar()
      for await event in stream {
        if let problem = grammar.take(event) { world.fail(problem) }
      }
    }
    world.executor.run {
      await trouble()
      await settle()
      await peace()
      book.close()
      events.cancel()
    }
    world.expect(!synchronizer.isSyncing, "it says that it's syncing after the end")
  }

  private func trouble() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<world.number(1...5) {
        group.addTask {
          for _ in 0..<world.number(1...4) {
            try? await world.pause()
            await act()
          }
        }
      }
    }
  }

  private func act() async {
    switch world.number(0...14) {
    case 0...3: await sync(leaves: false)
    case 4, 5: await leave()
    case 6, 7:
      _ = book.asks()
      synchronizer.requestSync()
    case 8:
      synchronizer.cancel()
      book.cancelReturned()
    case 9, 10: processor.changeRemote()
    case 12, 13: await ensure(world.number(0...20))
    case 14: await plan()
    default: changeOptions()
    }
  }

  private func changeOptions() {
    var options = SyncOptions()
    options.concurrency = world.number(-1...4)
    options.downloadPreview = world.oneIn(2)
    options.downloadContent = !world.oneIn(4)
    options.stopOnError = world.oneIn(2)
    options.removal = world.oneIn(2) ? .beforeDownloads : .afterDownloads
    options.removalLimit = world.oneIn(3) ? .count(2) : .unlimited
    set(options)
  }

  private func set(_ options: SyncOptions) {
    if !options.downloadContent { processor.store.withLock { $0.maySkipContents = true } }
    synchronizer.options = options
    book.optionsChanged(to: options)
  }

  /// Asks and waits for the answer, which has to be right.
  private func sync(leaves: Bool) async {
    let ask = book.asks()
    do {
      book.answered(since: ask, try await synchronizer.sync().passes)
    } catch let error as SyncError<Int> {
      if error.code == .cancelled {
        book.wasCancelled(since: ask)
      } else {
        book.answered(since: ask, error.report.passes)
      }
    } catch {
      world.expect(leaves && error is CancellationError, "a caller got \(error)")
    }
  }

  /// Wants an item; whatever is answered, an answer comes, and what is said to be there is, unless
  /// it was removed since.
  private func ensure(_ key: Int) async {
    book.seeks(key)
    let removals = processor.store.withLock { $0.removals[key] }
    do {
      try await synchronizer.ensure(key)
      processor.store.withLock { store in
        let isThere = store.local[key] != nil || store.removals[key] != removals
        world.expect(isThere || store.maySkipContents, "\(key) was said to be there, and isn't")
      }
    } catch is SyncFailure<Int> {
    } catch is SyncError<Int> {
    } catch {
      world.fail("who wanted an item got \(error)")
    }
  }

  private func plan() async {
    _ = book.asks()
    do {
      let plan = try await synchronizer.plan()
      world.expect(plan.report.kind == .plan, "a plan was given as \(plan.report.kind)")
    } catch is SyncError<Int> {
    } catch {
      world.fail("who wanted a plan got \(error)")
    }
  }

  /// Asks, and goes away some time later.
  private func leave() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await sync(leaves: true) }
      try? await world.pause()
      book.callerIsCancelled()
      group.cancelAll()
    }
  }

  /// Waits for what was requested.
  private func settle() async {
    for _ in 0..<50 {
      try? await world.clock.sleep(for: .seconds(60))
      if !synchronizer.isSyncing { return }
    }
    world.fail("it never comes to rest")
  }

  /// Without faults one run makes both sides equal, and the next finds nothing to do.
  private func peace() async {
    processor.calm()
    set(SyncOptions())
    do {
      let first = book.asks()
      book.answered(since: first, try await synchronizer.sync().passes)
      let (remote, local) = processor.store.withLock { ($0.remote, $0.local) }
      world.expect(remote == local, "not equal after a good run")
      let counts = try await synchronizer.sync().counts
      world.expect(counts.downloaded + counts.removed + counts.failed == 0, "more to do: \(counts)")
    } catch {
      world.fail("a run without faults gave \(error)")
    }
  }
}
