import OneWaySynchronizer

/// What the contract does to a pass.
enum Disturbance<ID: Hashable & Sendable>: Sendable {
  case none
  /// Plans, and doesn't sync.
  case plan
  /// Allows no removal.
  case refuseRemoval
  /// Cancels before the call with this number (from 1) is passed on to the processor.
  case cancelBefore(call: Int)
  /// Cancels while the call with this number is in the processor.
  case cancelDuring(call: Int)
  /// Fails calls at this place instead of passing them on.
  case fail(CallPlace<ID>)
  /// Makes the source break off.
  case breakSource(SourceInterception<ID>.Moment)
  /// Cancels in the middle of what the source does, which then goes on or breaks off.
  case cancelAtSource(SourceInterception<ID>.Moment, breaksOff: Bool)

  /// When the source has to act, and how; `nil` when it isn't to be disturbed.
  ///
  /// - Parameters:
  ///   - reached: Told that the moment came.
  ///   - cancel: Cancels the run.
  func interception(
    reached: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
  ) -> SourceInterception<ID>? {
    switch self {
    case .none, .plan, .refuseRemoval, .cancelBefore, .cancelDuring, .fail:
      nil
    case .breakSource(let moment):
      SourceInterception(moment: moment) {
        reached()
        throw ContractFault()
      }
    case .cancelAtSource(let moment, let breaksOff):
      SourceInterception(moment: moment) {
        reached()
        cancel()
        if breaksOff { throw CancellationError() }
      }
    }
  }

  /// Whether it needs a source that misbehaves.
  var isAtSource: Bool {
    switch self {
    case .none, .plan, .refuseRemoval, .cancelBefore, .cancelDuring, .fail: false
    case .breakSource, .cancelAtSource: true
    }
  }
}

extension Disturbance: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "undisturbed"
    case .plan: "planned"
    case .refuseRemoval: "the removal was refused"
    case .cancelBefore(let call): "cancelled before call \(call)"
    case .cancelDuring(let call): "cancelled during call \(call)"
    case .fail(.end): "the program ended before syncDidEnd"
    case .fail(let place): "\(place) failed"
    case .breakSource(let moment): "the source broke off at \(moment)"
    case .cancelAtSource(let moment, let breaksOff):
      "cancelled when the source was at \(moment)" + (breaksOff ? ", which broke off" : "")
    }
  }
}
