/// What the source holds and held of one item, and which of that may be held locally after a pass.
struct ItemHistory: Equatable {
  /// What is held before the pass; `nil` when nothing is.
  var before: String?
  /// What the source has; `nil` when it doesn't have the item (any more).
  var source: String?
  /// What the pass must have made of it.
  var demand = Demand.renewed

  enum Demand: Equatable {
    case renewed
    case untouched
    /// It is the one or the other, and whole.
    case either
  }

  /// What is wrong with an item of which `held` is held; `nil` when nothing is.
  func problem(holding held: String?) -> Violation.Problem? {
    if isAllowed(held) { return nil }
    guard let held else {
      return before != nil && source != nil ? .lost : lacking
    }
    if before == nil, source == nil { return .invented }
    if held == before { return source == nil ? .notRemoved : .notUpdated }
    return held == source ? .changedDespiteFailure : .wrongContent
  }

  private func isAllowed(_ held: String?) -> Bool {
    switch demand {
    case .renewed: held == source
    case .untouched: held == before
    case .either: held == before || held == source
    }
  }

  /// An item that isn't held: it had to arrive, or it was removed too early.
  private var lacking: Violation.Problem {
    source == nil ? .changedDespiteFailure : .missing
  }
}
