/// How far a program's work is, as it tells it.
public struct WorkProgress: Equatable, Sendable {
  /// What is being done, in a few words.
  public var stage: String
  /// Whether this is a piece of work of its own, of which a share is done; one that has no share is
  /// only named.
  public var amount: Amount?
  /// What else is to be known, as `3 failed`; empty where nothing is.
  public var remark = ""

  /// How much of it is done.
  public struct Amount: Equatable, Sendable {
    public var itemsDone: Int
    /// `nil` where nobody knows.
    public var itemsTotal: Int?
    public var bytesDone: Int64
    /// As far as sizes are known; `nil` where none is.
    public var bytesTotal: Int64?

    /// So much of so much.
    public init(itemsDone: Int, itemsTotal: Int?, bytesDone: Int64, bytesTotal: Int64?) {
      self.itemsDone = itemsDone
      self.itemsTotal = itemsTotal
      self.bytesDone = bytesDone
      self.bytesTotal = bytesTotal
    }
  }

  /// Work of that name.
  public init(_ stage: String, _ amount: Amount? = nil) {
    self.stage = stage
    self.amount = amount
  }
}

extension WorkProgress.Amount {
  /// The share that is done, from 0 to 1: of the bytes, where their number is known, else of the
  /// items. It is the whole only once every item is done.
  var share: Double? {
    if let itemsTotal, itemsTotal > 0, itemsDone >= itemsTotal { return 1 }
    let share: Double
    if let bytesTotal, bytesTotal > 0 {
      share = Double(bytesDone) / Double(bytesTotal)
    } else if let itemsTotal, itemsTotal > 0 {
      share = Double(itemsDone) / Double(itemsTotal)
    } else {
      return nil
    }
    return min(max(share, 0), 0.99)
  }
}
