import SyncLock

extension Synchronizer {
  /// How passes work; read once at the start of each.
  ///
  /// Setting one of their properties, as in `synchronizer.options.concurrency = 4`, changes that
  /// one alone, also when others are set elsewhere at the same time. What depends on a value that
  /// was there, or belongs together with another, is changed by ``update(_:)``.
  public var options: SyncOptions {
    get { state.withLock { $0.options } }
    set {
      replaceOptions { options in
        options = newValue
        return true
      }
    }
    _modify {
      let before = options
      var changed = before
      // Also when what changes them throws.
      defer { replaceOptions { $0.take(changed, madeFrom: before) } }
      yield &changed
    }
  }

  /// Changes the options in one step: nobody's change comes between what the closure reads and
  /// what it writes.
  ///
  /// ```swift
  /// synchronizer.update { options in
  ///   options.concurrency *= 2
  ///   options.stopOnError = false
  /// }
  /// ```
  ///
  /// - Parameter change: Is given a copy of the options, and called again with a new one whenever
  ///   somebody else has changed them meanwhile. What it throws leaves them as they are.
  public func update(_ change: (inout SyncOptions) throws -> Void) rethrows {
    while true {
      let (before, version) = state.withLock { ($0.options, $0.optionsVersion) }
      var options = before
      try change(&options)
      let isDone = state.withLock { state in
        guard state.optionsVersion == version else { return false }
        // What the old ones hold is let go of when the lock is free: it may do anything then.
        swap(&state.options, &options)
        state.optionsVersion += 1
        return true
      }
      if isDone { return }
    }
  }

  /// Makes a change that answers whether there was any.
  private func replaceOptions(_ change: (inout SyncOptions) -> Bool) {
    _ = state.withLock { state in
      // Given out, so that it is let go of when the lock is free.
      let before = state.options
      if change(&state.options) { state.optionsVersion += 1 }
      return before
    }
  }
}
