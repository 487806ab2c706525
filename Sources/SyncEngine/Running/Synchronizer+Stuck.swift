import SyncLock

/// Calls that don't return.
extension Synchronizer {
  /// A call of a stage hasn't returned by twice its time limit. What is answered is to be called
  /// once it has.
  func callIsStuck(in stage: SyncStage, of key: ID?) -> @Sendable () -> Void {
    let number = newNumber()
    stuckCallsChange { state in
      state.callers.stuckCalls.append((number, stage, key))
      return state.run.callIsStuck()
    }
    return {
      self.stuckCallsChange { state in
        state.callers.stuckCalls.removeAll { $0.number == number }
        state.run.stuckCallReturned()
        return []
      }
    }
  }

  private func stuckCallsChange(_ transition: (inout State) -> [RunState.Action]) {
    var wakeups = Wakeups()
    perform { state in
      let actions = transition(&state)
      // Under the lock: readers of the status see the changes in their order.
      wakeups = hub.status.put(stuckStage: state.callers.stuckCalls.first?.stage)
      return actions
    }
    wakeups.tell()
  }
}
