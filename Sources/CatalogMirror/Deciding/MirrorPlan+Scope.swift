extension MirrorPlan {
  /// Something that the scope leaves out.
  public struct LeftOut: Sendable, Equatable {
    /// The item's key, escaped; for a directory that wasn't even listed, its path with a slash at
    /// its end.
    public var key: String
    /// Whether it is such a directory.
    public var isDirectory: Bool
    /// Why.
    public var reason: LeftOutReason
  }

  /// How much is left out for each reason, in the order in which they were met.
  public var leftOutCounts: [(reason: LeftOutReason, items: Int, directories: Int)] {
    var places: [LeftOutReason: Int] = [:]
    var counts: [(reason: LeftOutReason, items: Int, directories: Int)] = []
    for left in leftOut {
      let place = places[left.reason] ?? counts.count
      if place == counts.count {
        places[left.reason] = place
        counts.append((left.reason, 0, 0))
      }
      if left.isDirectory { counts[place].directories += 1 } else { counts[place].items += 1 }
    }
    return counts
  }
}

extension MirrorPlan.LeftOut {
  init(_ left: LeftOut) {
    key = left.key.description
    isDirectory = left.isDirectory
    reason = left.reason
  }
}
