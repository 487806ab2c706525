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

/// One item of a remote collection: something with a key that can be downloaded.
///
/// The key is `id`. Two items of one list never share a key; the key of an item never changes.
public protocol SyncItem: Identifiable, Sendable where ID: Sendable {
  /// Where this item stands in the line: smaller numbers are downloaded first, items with equal
  /// numbers in the order of the list. Default 0.
  var downloadOrder: Int { get }
}

extension SyncItem {
  /// 0: the order of the list.
  public var downloadOrder: Int { 0 }
}
