/// Keys in an order, as an array of ``RecordKey`` has them. Integers one after the other, as those of
/// new rows mostly are, cost next to nothing, so that a report of millions of them is small.
public struct RecordKeys: RandomAccessCollection, Sendable, Equatable, ExpressibleByArrayLiteral {
  private var parts: [Part] = []
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

  public init() {}

  public init(_ keys: some Sequence<RecordKey>) { for key in keys { append(key) } }

  public init(arrayLiteral keys: RecordKey...) { self.init(keys) }

  public var startIndex: Int { 0 }

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
      appendNumber(number)
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

  private mutating func appendNumber(_ number: Int64) {
    parts.append(Part(start: endIndex, keys: .run(number...number)))
  }
}

extension RecordKeys: CustomStringConvertible {
  /// As an array is described.
  public var description: String { Array(self).description }
}
