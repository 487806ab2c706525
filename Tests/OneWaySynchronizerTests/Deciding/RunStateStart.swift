@testable import SyncEngine
@testable import OneWaySynchronizer
/// The states of a `RunState`, each reached by the shortest road to it. Caller 1 waits in all but
/// the first two, `ended` and `stuck`; in the two of plans, it waits for a plan. Caller 9 drains.
enum RunStateStart: CaseIterable {
  case idle, windowOpen, planWaits, planning, starting, running, askedAgain, cancelling,
    cancellingOwed, ended, stuck, draining,
    drainingOwed

  var state: RunState {
    var state = RunState()
    switch self {
    case .idle: break
    case .windowOpen:
      _ = state.requestMade(at: .zero, window: .seconds(2), atMost: .seconds(9))
      _ = state.ownerIsFree(at: .zero)
    case .planWaits:
      _ = state.planArrived(1)
    case .planning:
      state = RunStateStart.planWaits.state
      _ = state.ownerIsFree(at: .zero)
    case .starting:
      _ = state.callerArrived(1)
    case .running:
      _ = state.callerArrived(1)
      _ = state.ownerIsFree(at: .zero)
    case .askedAgain:
      state = RunStateStart.running.state
      _ = state.callerArrived(2)
    case .cancelling:
      state = RunStateStart.running.state
      _ = state.cancelCalled()
    case .cancellingOwed:
      state = RunStateStart.askedAgain.state
      _ = state.cancelCalled()
    case .ended:
      state = RunStateStart.running.state
      _ = state.passEnded(.succeeded, at: .zero)
    case .stuck:
      state = RunStateStart.running.state
      _ = state.callIsStuck()
    case .draining:
      state = RunStateStart.running.state
      _ = state.drainCalled(9)
    case .drainingOwed:
      state = RunStateStart.askedAgain.state
      _ = state.drainCalled(9)
    }
    return state
  }
}
