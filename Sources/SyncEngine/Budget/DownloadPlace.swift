import SyncLock

/// One worker's place within a ``DownloadBudget``, which it has or hasn't.
final class DownloadPlace: Sendable {
  private let budget: DownloadBudget
  private let share: PlaceBook.ShareID
  private let state = Locked(State())

  private struct State: Sendable {
    var isHeld = false
    /// How many wait for others on behalf of the download.
    var loans = 0
    /// Whether the place was given away for them, and is to be taken again.
    var isLent = false
  }

  init(in budget: DownloadBudget, of share: PlaceBook.ShareID) {
    (self.budget, self.share) = (budget, share)
  }

  /// Whether the place is held, and nobody has a better claim.
  var mayKeep: Bool { state.withLock { $0.isHeld } && budget.mayKeep(share) }

  /// Waits until the place is held and nobody has a better claim, or the task is cancelled.
  func take() async {
    if state.withLock({ $0.isHeld }) {
      if mayKeep { return }
      giveBack()
    }
    guard await budget.take(for: share) else { return }
    let isNeeded = state.withLock { state in
      defer { state.isHeld = true }
      return !state.isHeld
    }
    if !isNeeded { budget.giveBack(share) }
  }

  /// The download has ended, and no other begins. Nobody takes the place again for what it waits
  /// for.
  func giveBack() {
    let wasHeld = state.withLock { state in
      defer { (state.isHeld, state.isLent) = (false, false) }
      return state.isHeld
    }
    if wasHeld { budget.giveBack(share) }
  }

  /// Lends the place, if there is one, while a download waits in `body` for what may need it.
  static func lending<Value>(
    _ place: DownloadPlace?, _ body: () async throws -> Value
  ) async rethrows -> Value {
    guard let place else { return try await body() }
    place.lend()
    defer { place.endLoan() }
    return try await body()
  }

  private func lend() {
    let isGiven = state.withLock { state in
      state.loans += 1
      guard state.isHeld else { return false }
      (state.isHeld, state.isLent) = (false, true)
      return true
    }
    if isGiven { budget.giveBack(share) }
  }

  private func endLoan() {
    let takesAgain = state.withLock { state in
      state.loans -= 1
      guard state.loans == 0, state.isLent else { return false }
      state.isLent = false
      defer { state.isHeld = true }
      return !state.isHeld
    }
    // Not waited for: who has the place meanwhile may wait for what this call answers.
    if takesAgain { budget.takeAgain(share) }
  }
}
