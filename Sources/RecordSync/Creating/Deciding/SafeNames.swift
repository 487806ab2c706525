private import SyncText

/// Names for columns and indexes that a database takes, and that nothing else has.
enum SafeNames {
  /// The longest name that is taken as it is, in bytes.
  private static let longest = 200

  /// A name as it is, where it can be that of a column and no other has it; else one like it.
  ///
  /// - Parameter taken: The names that are taken, in lower case, as SQLite compares them.
  static func column(for name: String, besides taken: Set<String>) -> String {
    unused(isColumn(name) ? name : usable(name), besides: taken)
  }

  static func index(_ table: String, _ column: String, besides taken: Set<String>) -> String {
    unused(usable("\(table)_\(column)"), besides: taken)
  }

  /// A name for a table like one that can't be it, or that something has.
  static func table(for name: String, besides taken: Set<String>) -> String {
    unused(isTable(name) ? name : usable("_" + name), besides: taken)
  }

  /// Whether a table can have a name: neither SQLite's own ones nor this package's are free.
  static func isTable(_ name: String) -> Bool {
    let small = name.asciiLowercased
    return isColumn(name) && !small.hasPrefix("sqlite_")
      && !small.hasPrefix(DeclaredTable.ownPrefix)
  }

  /// Whether a column can have a name as it is.
  static func isColumn(_ name: String) -> Bool {
    !name.isEmpty && !name.utf8.contains(0) && name.utf8.count <= longest
  }

  private static func usable(_ name: String) -> String {
    let name = String(name.replacing("\0", with: "_").prefix(longest / 4))
    let isReserved = name.asciiLowercased.hasPrefix("sqlite_")
    return name.isEmpty || isReserved ? "_" + name : name
  }

  private static func unused(_ name: String, besides taken: Set<String>) -> String {
    guard taken.contains(name.asciiLowercased) else { return name }
    var number = 2
    while taken.contains("\(name)_\(number)".asciiLowercased) { number += 1 }
    return "\(name)_\(number)"
  }
}
