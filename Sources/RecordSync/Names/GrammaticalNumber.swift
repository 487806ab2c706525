private import SyncText

extension Spelling {
  /// The names that one row of a table may have, the likeliest first: in English, then as the
  /// endings alone were understood once, by which columns may be named, and the table's own.
  ///
  /// `companies` gives `company`, and `companie`; `statuses` gives `status`, and `statuse`. Cases
  /// and words before the last one stay: `OrderItems` gives `OrderItem`.
  package func singulars(of table: String) -> [String] {
    let english = LastWord(table).replaced(by: EnglishNoun.singular)
    return unique([english] + singularsByEnding(of: table) + [table])
  }

  /// The name of a table for rows of this name: `company` gives `companies`. A plural stays.
  package func plural(of name: String) -> String {
    let word = LastWord(name)
    return word.isEmpty ? pluralByEnding(of: name) : word.replaced(by: EnglishNoun.plural)
  }

  /// The names that a table for rows of this name may have, the likeliest first: the plural, then
  /// the one that was made of the ending alone once.
  package func plurals(of name: String) -> [String] {
    unique([plural(of: name), pluralByEnding(of: name)])
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private func singularsByEnding(of table: String) -> [String] {
    let small = table.asciiLowercased
    var endings: [(cut: Int, add: String)] = []
    if small.hasSuffix("ies") {
      endings = [(3, "y"), (1, "")]
    } else if ["sses", "xes", "ches", "shes", "zes"].contains(where: small.hasSuffix) {
      endings = [(2, ""), (1, "")]
    } else if small.hasSuffix("ses") || small.hasSuffix("oes") {
      endings = [(1, ""), (2, "")]
    } else if small.hasSuffix("s"), !small.hasSuffix("ss") {
      endings = [(1, "")]
    }
    let isCapital = table.utf8.last?.isCapital ?? false
    return endings.filter { $0.cut < table.utf8.count }.map { ending in
      String(table.dropLast(ending.cut)) + (isCapital ? ending.add.uppercased() : ending.add)
    }
  }

  private func pluralByEnding(of name: String) -> String {
    let small = name.asciiLowercased
    let ending: (cut: Int, add: String)
    if small.hasSuffix("y"), !["ay", "ey", "iy", "oy", "uy"].contains(where: small.hasSuffix) {
      ending = (1, "ies")
    } else if ["ss", "us", "is", "x", "z", "ch", "sh"].contains(where: small.hasSuffix) {
      ending = (0, "es")
    } else if small.hasSuffix("s") || name.isEmpty {
      ending = (0, "")
    } else {
      ending = (0, "s")
    }
    let isCapital = name == name.uppercased() && name != name.lowercased()
    return String(name.dropLast(ending.cut)) + (isCapital ? ending.add.uppercased() : ending.add)
  }
}

/// The last word of a name of several, which alone has a number.
private struct LastWord {
  private let before: [UInt8]
  private let word: [UInt8]
  private let isCapital: Bool

  init(_ name: String) {
    let bytes = Array(name.utf8)
    var start = bytes.count
    while start > 0, bytes[start - 1].isLetter {
      // A capital begins a word before small letters, and after them.
      if start < bytes.count, bytes[start].isCapital, bytes[start - 1].isSmall { break }
      let begins = bytes[start - 1].isCapital && start < bytes.count && bytes[start].isSmall
      start -= 1
      if begins { break }
    }
    before = Array(bytes[..<start])
    word = Array(bytes[start...])
    isCapital = name.utf8.last?.isCapital ?? false && !bytes.contains(where: \.isSmall)
  }

  /// Whether the name ends with something else than a word.
  var isEmpty: Bool { word.isEmpty }

  /// The name with another word there; letters that stay keep their case.
  func replaced(by change: (String) -> String) -> String {
    let small = word.map(\.asSmall)
    let changed = Array(change(String(decoding: small, as: UTF8.self)).utf8)
    let common = zip(small, changed).prefix { $0 == $1 }.count
    let rest = changed[common...].map { isCapital ? $0.asCapital : $0 }
    return String(decoding: before + word[..<common] + rest, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { isSmall || isCapital }
}
