/// What somebody may have meant who wrote a word that doesn't exist.
public enum Suggestion {
  /// The nearest of `words`; `nil` where none is near: more than a third of it would be wrong.
  public static func nearest(to word: String, among words: some Sequence<String>) -> String? {
    let near = words.map { (distance(word, $0), $0) }.min { $0 < $1 }
    if let (distance, best) = near, distance <= max(1, max(best.count, word.count) / 3) {
      return best
    }
    // Who stopped in the middle of a word, or left out its beginning, meant the only one like it.
    let like = Set(words.filter { word.count >= 3 && $0.contains(word) })
    return like.count == 1 ? like.first : nil
  }

  /// The letters to add, take away, replace or swap with their neighbour, to come from one word to
  /// the other.
  static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var before: [Int] = []
    var last = Array(0...other.count)
    for row in one.indices {
      var next = [row + 1]
      for column in other.indices {
        let cost = one[row] == other[column] ? 0 : 1
        var least = min(last[column] + cost, last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[other.count]
  }
}
