import SyncLock

extension Synchronizer {
  /// Waits until an item is held as the source has it, and moves it to the front of the downloads:
  /// for what a person scrolls to while a sync goes on.
  ///
  /// Starts a pass if none is under way. Of previews, too, the item's comes next. It is waited for
  /// until the downloads were committed, since only then is it there; or, if the processor says
  /// ``StoreSyncProcessor/commitsEachDownload``, until its own last download returned, and not at
  /// all when this pass has fetched it already. What is held and current is waited for only until
  /// the lists were compared. An item that has failed earlier in the pass is tried anew as long as
  /// other downloads of its stage go on; if it comes then, the pass's report doesn't name it as
  /// failed. Any number of callers may wait for one key. As with ``sync()``, the last of all who
  /// wait cancels the run by leaving.
  ///
  /// - Throws: ``SyncFailure`` when the item failed; ``SyncError`` with the code
  ///   ``SyncError/Code/notListed(_:)`` when the source doesn't name the key,
  ///   ``SyncError/Code/leftOut(_:)`` when it isn't downloaded, or that of the pass when the pass
  ///   failed; `CancellationError` when the calling task was cancelled.
  public func ensure(_ key: ID) async throws { try await ensure(key, policy: .current) }

  /// As ``ensure(_:)``, with less of a sync, or also where the source can't be asked.
  ///
  /// - Returns: Whether the item is held as the source has it, or only held.
  /// - Throws: As ``ensure(_:)``.
  @discardableResult
  public func ensure(
    _ key: ID, policy: EnsurePolicy
  ) async throws -> EnsuredItem {
    try await waiting(in: .ensure) { id, continuation, state in
      let joins = state.book.isOpen && !state.run.isCancelling
      state.callers.seekers[id] = .init(
        key: key, policy: policy, since: state.history.begun - (joins ? 1 : 0),
        continuation: continuation)
      if policy == .alone, !joins { return state.run.planArrived(id) }
      state.book.arrived(
        id, seeking: key, isJoined: joins, isContentWithHeld: policy == .heldWillDo)
      return joins ? state.run.callerJoined(id) : state.run.callerArrived(id)
    } then: {
      self.look()
    }
  }

  /// Fetches one item in a pass of its own, and tells who waits for it, if they still do.
  func fetch(_ key: ID, for id: RunState.CallerID) async {
    let desk = SoloDesk<Processor.Item>(key)
    var pass = newPass(.item, of: key, hub: EventHub(), desk: desk)
    let result = desk.result(of: await pass.run())
    perform { state in
      state.missing = pass.missing
      state.book.forget(id)
      return state.run.planEnded()
    }
    state.withLock { $0.callers.takeSeeker(id) }?.resume(with: result)
  }

  /// Finds out how the items stand that somebody waits for, if the pass under way can say.
  private func look() {
    let (lookup, pass, sought) = state.withLock { state in
      (state.lookup, state.book.pass, state.lookup == nil ? [] : state.book.sought)
    }
    guard let lookup, !sought.isEmpty else { return }
    // Outside the lock: the first look builds tables of all items, with the keys' own code.
    let found = sought.sorted { $0.0 < $1.0 }.map { ($0.0, lookup.standing(of: $0.1)) }
    answer { state in
      guard state.book.pass == pass else { return [] }
      return found.flatMap { state.book.found($0.1, for: $0.0) }
    }
  }

  /// Carries out what the book answers: under the lock what changes the state, then the rest.
  private func answer(_ ask: (inout State) -> [SeekerBook<ID>.Action]) { answers(ask).tell() }

  private func answers(_ ask: (inout State) -> [SeekerBook<ID>.Action]) -> Wakeups {
    state.withLock { state in
      var wakeups = Wakeups()
      for action in ask(&state) {
        if let effect = effect(of: action, in: &state) { wakeups.add(effect) }
      }
      return wakeups
    }
  }

  private func effect(
    of action: SeekerBook<ID>.Action, in state: inout State
  ) -> (@Sendable () -> Void)? {
    switch action {
    case .tell(let id, let answer):
      state.book.forget(id)
      state.run.seekerWasTold(id)
      return state.callers.take(id, answer)
    case .promote(let place):
      let (board, pass) = (state.board, state.book.pass)
      return {
        guard let promotion = board?.promote(place), promotion != .comes else { return }
        self.answer { state in
          // The pass may have ended since, and the place be another item's.
          guard state.book.pass == pass else { return [] }
          let isThere = promotion == .isThere
          return isThere ? state.book.arrived(at: place) : state.book.stillFailed(place)
        }
      }
    case .putOff(let id):
      state.run.seekerPutOff(id, isAlone: state.callers.seekers[id]?.policy == .alone)
      return nil
    }
  }
}

extension Synchronizer: PassDesk {
  typealias Item = Processor.Item

  var soughtKeys: Set<ID> { Set(state.withLock { $0.book.sought }.map(\.1)) }

  func listFailed() -> Set<ID> { state.withLock { $0.book.listFailed() } }

  func found(held: Set<ID>) {
    answer { $0.book.found(held: held) }
  }

  func passIsPlanned(_ lookup: PassLookup<Processor.Item>) {
    state.withLock { $0.lookup = lookup }
    look()
  }

  func downloadsBegin(on board: DownloadBoard) {
    let places = state.withLock { state in
      state.board = board
      return state.book.soughtPlaces
    }
    // Who asked first comes first: what is moved to the front last is taken first.
    for place in places.reversed() { board.promote(place) }
  }

  func itemArrived(_ place: Int) {
    answer { $0.book.arrived(at: place) }
  }

  func itemFailed(_ place: Int, with failure: SyncFailure<ID>) -> Wakeups {
    answers { $0.book.failed(place, with: failure) }
  }

  func passIsCommitted(_ ledger: ItemLedger) {
    answer { $0.book.committed(ledger) }
  }

  func passCloses(well: Bool) {
    answer { state in
      state.lookup = nil
      state.board = nil
      return state.book.closed(putsOff: well)
    }
  }
}
