import SyncText

/// Names of members by what they mean, however services write them: `has_more`, `hasMore`.
struct MemberWords<Meaning: Sendable>: Sendable {
  private let meanings: [String: Meaning]

  /// - Parameter words: For each meaning the names as words, with blanks between them.
  init(_ words: [(Meaning, String)]) {
    meanings = words.reduce(into: [:]) { all, entry in
      for word in entry.1.split(separator: " ") { all[String(word)] = entry.0 }
    }
  }

  subscript(word: String) -> Meaning? { meanings[word] }
}

extension Sequence<UInt8> {
  /// A name as one word: the letters of ASCII in small ones, and nothing of it that only parts
  /// words. What tells names apart stays: `next2` isn't `next`.
  var asWord: String {
    let kept = lazy.map(\.asSmall).filter { $0.isSmall || $0.isDigit || $0 >= 0x80 }
    return String(decoding: Array(kept), as: UTF8.self)
  }
}
