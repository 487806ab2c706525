public import OneWaySynchronizer

/// An item for tests, written as its key: `let items: [TestItem] = ["a", "b"]`.
public struct TestItem: SyncItem, Equatable {
  /// The key.
  public var id: String
  /// Where it stands in the line of downloads.
  public var downloadOrder: Int
  /// Which state of the content it is; another number is a changed item.
  public var revision: Int

  /// An item; the first revision of it, and in the order of the list, unless told otherwise.
  public init(_ id: String, downloadOrder: Int = 0, revision: Int = 1) {
    self.id = id
    self.downloadOrder = downloadOrder
    self.revision = revision
  }
}

extension TestItem: ExpressibleByStringLiteral {
  /// The item with this key.
  public init(stringLiteral id: String) {
    self.init(id)
  }
}

extension TestItem: CustomStringConvertible {
  /// The key, and the revision where it isn't the first: `a`, `a@2`.
  public var description: String {
    revision == 1 ? id : "\(id)@\(revision)"
  }
}
