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
    /// `shouldUpdate` or `itemsToUpdate` doesn't choose an item whose content changed.
    case notChosen
    /// `prepareDownload` leaves out an item that is to be downloaded.
    case leftOutOfDownloads
    /// The source is said to be unchanged, and the item isn't held as the source has it.
    case saidUnchanged
    /// A list of changes doesn't name an item that isn't held as the source has it.
    case leftOutOfChanges
    /// A list of changes doesn't name as removed what is held and gone from the source.
    case leftOutOfRemovals
    /// A part of the list was taken for all of it, and so the item for gone.
    case partTakenForWhole
    /// An item that a partial list doesn't name is gone.
    case lostUnnamed
    /// A plan removed the item, downloaded it or changed its content.
    case removedByPlan, downloadedByPlan, changedByPlan
    /// The preview can't be had, for this reason, though nothing was disturbed.
    case previewFailed(String)
    /// The content can't be had, for this reason, as the preview failed.
    case previewNeeded(String)
    /// The preview took the place of the content.
    case previewOverwrote
    /// The preview is taken for the content, which isn't downloaded.
    case previewTakenForContent
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
    /// `localKeys(among:)` names the item and `localKeys` doesn't, or the reverse.
    case namedDifferently
    /// `localKeys(among:and:)` names the item and `localKeys` doesn't, or the reverse.
    case namedDifferentlyWithItems
    /// `localKeys(among:)` or `localKeys(among:and:)` counts fewer or more items than there are.
    case miscounted
    /// `localKeys(among:)` or `localKeys(among:and:)` threw, asked about these keys.
    case namingFailed(String)
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
