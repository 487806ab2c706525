/// A way in which a processor doesn't do what the engine expects of it.
public struct Violation: Sendable, Equatable {
  /// What was checked.
  public var check: ContractCheck
  /// The key of the item in question, as text; `nil` when it isn't about one item.
  public var key: String?
  /// What is wrong.
  public var problem: Problem
  /// What was going on, such as `cancelled before call 7`.
  public var circumstance: String

  /// What can be wrong with a processor.
  public enum Problem: Sendable, Equatable {
    /// The fixture threw this error, so the check couldn't be made.
    case fixtureFailed(String)
    /// A pass that nothing disturbed didn't succeed, for this reason.
    case passFailed(String)
    /// The list doesn't name an item that the source has.
    case notInList
    /// The list names an item that the source doesn't have.
    case inventedInList
    /// An item that should have arrived isn't held.
    case missing
    /// An item was held, the source has it still, and it is gone.
    case lost
    /// An item that vanished from the source is still held.
    case notRemoved
    /// An item still has its old content.
    case notUpdated
    /// An item has a content that the source never had: a part of one, or a mixture.
    case wrongContent
    /// An item is held that the source never had.
    case invented
    /// Something was changed although it couldn't be known what to change it to.
    case changedDespiteFailure
    /// `localKeys` names an item that isn't held.
    case listedNotHeld
    /// `localKeys` names an item that isn't whole.
    case listedNotWhole
    /// `localKeys` doesn't name an item that is held, and whole.
    case heldNotListed
    /// `localKeys(among:)` names the item and `localKeys` doesn't, or the reverse; without an item:
    /// it counts another number of them.
    case namedDifferently
    /// An item was downloaded although nothing about it had changed.
    case needlessDownload
    /// An item was to be removed although the source has it.
    case needlessRemoval
    /// A download and the commit succeeded, and the new content isn't there.
    case committedNotHeld
    /// An error happened and the report doesn't tell.
    case errorSwallowed
  }
}

extension Violation: CustomStringConvertible {
  /// Check, item, what is wrong and what to mend.
  public var description: String {
    let item = key.map { " \"\($0)\"" } ?? ""
    return "[\(check.rawValue)]\(item) (\(circumstance)): \(problem)"
  }
}
