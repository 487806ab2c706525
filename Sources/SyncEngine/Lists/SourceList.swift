/// What the remote side answered, and what an item's absence from it means.
///
/// Only a ``complete(_:)`` list deletes by omission. When in doubt, answer ``partial(_:)``:
/// an incomplete answer taken for a complete one is how local copies get wiped.
public enum SourceList<Item: SyncItem>: Sendable {
  /// Every item that the remote collection holds. What is local and not named here is removed.
  case complete([Item])
  /// Some of the items: a window, a feed, a listing of which a page failed. Nothing is removed.
  case partial([Item])
  /// What changed since last time. Items not named stay as they are; of the `removed` keys those
  /// that exist locally are removed. A key in both parts is an error of the fetch stage.
  case changes(updated: [Item], removed: Set<Item.ID>)
  /// The source proved that nothing changed: the pass is over.
  case unchanged
}

extension SourceList: Equatable where Item: Equatable {}
