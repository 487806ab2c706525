private import SyncText

struct WordSplitter {
  let name: [UInt8]
  let acronyms: Acronyms
  private(set) var position = 0
  private(set) var output: [UInt8] = []

  mutating func joined() -> [UInt8] {
    output.reserveCapacity(name.count + 4)
    while position < name.count {
      if name[position].isCapital {
        takeCapitals()
      } else {
        output.append(name[position])
        position += 1
      }
    }
    return output
  }

  /// Capitals are one word or several acronyms; the last of them belongs to the small letters
  /// behind it: `HTMLPage` is `html_page`. Only the plural of acronyms is different: `IDs` is
  /// `ids`.
  private mutating func takeCapitals() {
    let start = position
    let end = name[start...].firstIndex { !$0.isCapital } ?? name.count
    position = end
    // By far the most names have no acronyms.
    if end == start + 1 { return add(start..<end, endingAt: [1]) }
    guard isSmall(at: end) else { return add(start..<end) }
    if name[end] == UInt8(ascii: "s"), !isSmall(at: end + 1),
      let ends = acronyms.ends(in: small(start..<end))
    {
      return add(start..<end, endingAt: ends)
    }
    if end - 1 > start { add(start..<end - 1) }
    add(end - 1..<end, endingAt: CollectionOfOne(1))
  }

  private mutating func add(_ capitals: Range<Int>) {
    add(capitals, endingAt: acronyms.ends(in: small(capitals)) ?? [capitals.count])
  }

  private mutating func add(_ capitals: Range<Int>, endingAt ends: some Sequence<Int>) {
    var start = capitals.lowerBound
    for end in ends {
      if start > 0, output.last != underscore { output.append(underscore) }
      for place in start..<capitals.lowerBound + end { output.append(name[place].asSmall) }
      start = capitals.lowerBound + end
    }
  }

  private func isSmall(at place: Int) -> Bool { place < name.count && name[place].isSmall }

  private func small(_ range: Range<Int>) -> [UInt8] { name[range].map(\.asSmall) }
}

/// Words that stand in capitals, all of them, within a name.
struct Acronyms: Sendable, Equatable {
  /// In lower case.
  private let words: Set<[UInt8]>
  private let lengths: [Int]

  init(_ words: [String]) {
    self.words = Set(words.map { $0.utf8.map(\.asSmall) }.filter { !$0.isEmpty })
    lengths = Set(self.words.map(\.count)).sorted(by: >)
  }

  /// - Parameter word: In lower case.
  func contains(_ word: ArraySlice<UInt8>) -> Bool {
    lengths.contains(word.count) && words.contains(Array(word))
  }

  /// Where the acronyms end that capitals are made of, in lower case: `idurl` after 2 and 5. `nil`
  /// if they aren't made of acronyms only. Of several ways, the one with the longest first.
  func ends(in capitals: [UInt8]) -> [Int]? {
    if words.contains(capitals) { return [capitals.count] }
    // From the back: how long an acronym may be here, so that the rest is acronyms, too.
    var steps = [Int?](repeating: nil, count: capitals.count)
    for start in capitals.indices.reversed() {
      steps[start] = lengths.first { length in
        let end = start + length
        return end <= capitals.count && (end == capitals.count || steps[end] != nil)
          && words.contains(Array(capitals[start..<end]))
      }
    }
    var ends: [Int] = []
    var place = 0
    while place < capitals.count {
      guard let step = steps[place] else { return nil }
      place += step
      ends.append(place)
    }
    return ends
  }
}
