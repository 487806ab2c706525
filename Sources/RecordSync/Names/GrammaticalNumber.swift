private import SyncText

extension Spelling {
  /// The names that one row of a table may have, the likeliest first; the table's own is the last.
  ///
  /// `companies` gives `company`, and `companie` since it might be of the kind of `movies`;
  /// `statuses` gives `statuse` (as `houses`) and `status`. Cases and words before the last one
  /// stay: `OrderItems` gives `OrderItem`.
  package func singulars(of table: String) -> [String] {
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
    let words = endings.filter { $0.cut < table.utf8.count }.map { ending in
      String(table.dropLast(ending.cut)) + (isCapital ? ending.add.uppercased() : ending.add)
    }
    return words + [table]
  }

  /// The name of a table whose rows have this name: `company` gives `companies`. What looks like a
  /// plural stays as it is: `settings`.
  package func plural(of name: String) -> String {
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
