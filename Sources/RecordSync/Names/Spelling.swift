private import SyncText

/// How one name is spelled in JSON and in a database: `userID`, `userId` and `user_id` are one.
///
/// Names of letters (A to Z), digits and underscores have spellings; any other name has only
/// itself. Words begin at an underscore, at a capital, or where an acronym ends; a digit begins
/// none.
package struct Spelling: Sendable, Equatable {
  private let acronyms: Acronyms

  /// The words that are acronyms without being named.
  package static let acronyms = [
    "id", "uuid", "url", "uri", "pdf", "png", "jpg", "json", "xml",
  ]

  /// - Parameter acronyms: Further words that keep one case as a whole; in any case.
  package init(acronyms: [String] = []) {
    self.acronyms = Acronyms(Self.acronyms + acronyms)
  }

  /// One form for all spellings of a name: snake_case. The underscores of the name itself stay,
  /// also those at its ends, so that `_id` isn't `id`.
  package func canonical(_ name: [UInt8]) -> [UInt8] {
    var hasCapital = false
    for byte in name {
      if byte.isCapital { hasCapital = true } else if !byte.isPlain { return name }
    }
    guard hasCapital else { return name }
    var words = WordSplitter(name: name, acronyms: acronyms)
    return words.joined()
  }

  package func snake(_ name: String) -> String {
    String(decoding: canonical(Array(name.utf8)), as: UTF8.self)
  }

  /// The name as JSON in camelCase has it, acronyms in capitals: `user_id` is `userID`. Where that
  /// would be read back as another name (`a_b_c`), snake_case.
  package func camel(_ name: String) -> String {
    let words = canonical(Array(name.utf8))
    let camel = joinedByCapitals(words)
    return String(decoding: canonical(camel) == words ? camel : words, as: UTF8.self)
  }

  private func joinedByCapitals(_ name: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(name.count)
    for (place, word) in name.split(separator: underscore, omittingEmptySubsequences: false)
      .enumerated()
    {
      let beginsWithLetter = word.first.map(\.isSmall) ?? false
      if place == 0 {
        output += word
      } else if output.isEmpty || !beginsWithLetter {
        // An underscore that begins or ends the name, or stands before a digit.
        output.append(underscore)
        output += word
      } else if acronyms.contains(word) {
        output += word.map(\.asCapital)
      } else if word.last == UInt8(ascii: "s"), acronyms.contains(word.dropLast()) {
        output += word.dropLast().map(\.asCapital) + [UInt8(ascii: "s")]
      } else {
        output += word.prefix(1).map(\.asCapital) + word.dropFirst()
      }
    }
    return output
  }
}

let underscore = UInt8(ascii: "_")

extension UInt8 {
  fileprivate var isPlain: Bool { isSmall || isDigit || self == underscore }
}

extension Spelling {
  /// The words that many languages keep for themselves, so that columns have their table's name
  /// before them: `user_type`.
  package static let reservedWords = ["type", "description", "signed"]

  /// The columns that a reserved word may mean in a table, the likeliest first, in snake_case:
  /// `type` in `users` may be `user_type`. None for any other word.
  package func columns(for word: String, in table: String) -> [String] {
    guard Self.reservedWords.contains(word) else { return [] }
    return singulars(of: table).map { snake($0) + "_" + word }
  }

  /// The reserved word that a column stands for in its table: `type` for `user_type` in `users`.
  package func reservedWord(of column: String, in table: String) -> String? {
    let name = snake(column)
    return Self.reservedWords.first { columns(for: $0, in: table).contains(name) }
  }
}
