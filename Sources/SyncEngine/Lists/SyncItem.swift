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
