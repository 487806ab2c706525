extension RandomAccessCollection where Index == Int {
  /// The first place from which on something holds that holds of none before it.
  func partitioning(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The place of a value among sorted ones.
  func place<Value: Comparable>(
    of value: Value, by key: (Element) -> Value
  ) -> Int? {
    let place = partitioning { key($0) >= value }
    return place < endIndex && key(self[place]) == value ? place : nil
  }
}
