private import SyncText

/// Words that stand in capitals, all of them, within a name.
struct Acronyms: Sendable, Equatable {
  /// In lower case.
  private let words: Set<[UInt8]>
  /// How long they are, the longest first.
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
