public import SyncEngine

/// How many documents one sync may remove from a collection, since the server has them no more.
public enum RemovalRule: Sendable, Equatable {
  /// Not half of them and more than three, and not all of more than one: by default.
  case careful
  /// What is asked for in its place; all of them only where that says so.
  case within(RemovalLimit)

  /// Whether they may go.
  func allows(_ vanishing: Vanishing) -> Bool {
    switch self {
    case .careful:
      return RemovalLimit.guarded(count: 3).allows(removals: vanishing.count, of: vanishing.held)
    case .within(.unlimited): return true
    case .within(let limit):
      let isAll = vanishing.count >= vanishing.held && vanishing.held > 1
      return !isAll && limit.allows(removals: vanishing.count, of: vanishing.held)
        || vanishing.count == 0
    }
  }
}
