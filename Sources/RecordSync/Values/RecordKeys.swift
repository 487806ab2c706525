/// Keys in an order, as an array of ``RecordKey`` has them. Integers one after the other, as the
/// keys of new rows mostly are, cost next to nothing: a report of millions of them is small.
public struct RecordKeys: RandomAccessCollection, Sendable, Equatable, ExpressibleByArrayLiteral {
  private var parts: [Part] = []
  /// How many keys there are.
  public private(set) var endIndex = 0

  private struct Part: Equatable {
    /// The place of its first key.
    var start: Int
    var keys: Keys
  }

  private enum Keys: Equatable {
    case run(ClosedRange<Int64>)
    case others([RecordKey])
  }

  /// None.
  public init() {}

  /// These keys, in their order.
  public init(_ keys: some Sequence<RecordKey>) { for key in keys { append(key) } }

  /// These keys, in their order.
  public init(arrayLiteral keys: RecordKey...) { self.init(keys) }

  /// The first key's place, if there is one: 0.
  public var startIndex: Int { 0 }

  /// The key at a place, which has to be one of ``indices``.
  public subscript(place: Int) -> RecordKey {
    precondition(indices.contains(place), "There is no key at \(place) of \(count).")
    var (low, high) = (0, parts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if parts[middle].start <= place { low = middle } else { high = middle - 1 }
    }
    let part = parts[low]
    switch part.keys {
    case .run(let run): return RecordKey(.integer(run.lowerBound + Int64(place - part.start)))
    case .others(let keys): return keys[place - part.start]
    }
  }

  /// Adds a key behind all others.
  public mutating func append(_ key: RecordKey) {
    let last = parts.count - 1
    defer { endIndex += 1 }
    guard let number = key.integer else { return appendOther(key) }
    if last >= 0, case .run(let run) = parts[last].keys, run.upperBound < number,
      run.upperBound == number - 1
    {
      parts[last].keys = .run(run.lowerBound...number)
    } else {
      parts.append(Part(start: endIndex, keys: .run(number...number)))
    }
  }

  private mutating func appendOther(_ key: RecordKey) {
    let last = parts.count - 1
    guard last >= 0, case .others(var keys) = parts[last].keys else {
      return parts.append(Part(start: endIndex, keys: .others([key])))
    }
    // Held once, so that it isn't copied.
    parts[last].keys = .others([])
    keys.append(key)
    parts[last].keys = .others(keys)
  }
}

extension RecordKeys: CustomStringConvertible {
  /// As an array is described.
  public var description: String { Array(self).description }
}
