private import SyncText

/// Finds the words of a name that has capitals.
struct WordSplitter {
  private let name: [UInt8]
  private let acronyms: Acronyms
  private var position = 0
  private var output: [UInt8] = []

  init(name: [UInt8], acronyms: Acronyms) {
    self.name = name
    self.acronyms = acronyms
  }

  /// The words in lower case with underscores between them.
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
