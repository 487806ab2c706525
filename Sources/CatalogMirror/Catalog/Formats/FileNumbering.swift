/// The keys of the files of one item, in the order in which it lists them.
struct FileNumbering {
  private let name: String
  private var counts: [String: Int] = [:]

  /// The files of an item of that name.
  init(_ name: String) {
    self.name = name
  }

  /// The next file's key: the name with its extension; further ones of the same extension are
  /// numbered before it, from 2.
  mutating func key(_ fileExtension: String) -> CatalogKey {
    let count = counts[fileExtension, default: 0] + 1
    counts[fileExtension] = count
    return CatalogKey(count == 1 ? name + fileExtension : "\(name).\(count)\(fileExtension)")
  }

  /// How many files of an item and an extension are named where nobody says how many it had.
  static let most = 9

  /// The keys that the files of an item of that name may have had.
  static func keys(of name: String) -> [CatalogKey] {
    ([""] + MediaExtension.all.sorted().map { "." + $0 }).flatMap { fileExtension in
      var numbering = FileNumbering(name)
      return (0..<most).map { _ in numbering.key(fileExtension) }
    }
  }
}
