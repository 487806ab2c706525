enum EntryPlace: Sendable {
  /// Where its key says, in this directory. The key is a plain path.
  case own(Directory)
  /// At these addresses.
  case listed([String])

  /// The address of a directory, with a slash at its end: one for all entries that lie in it.
  final class Directory: Sendable {
    let address: String

    init(_ address: String) {
      self.address = address
    }
  }

  var isOwn: Bool { if case .own = self { true } else { false } }

  /// The addresses of an entry of this key.
  func locators(of key: CatalogKey) -> [String] {
    switch self {
    case .own(let directory): [directory.address + String(decoding: key.bytes, as: UTF8.self)]
    case .listed(let locators): locators
    }
  }

  /// Whether an entry of this key has the same addresses in another place.
  func isSame(as other: EntryPlace, of key: CatalogKey) -> Bool {
    if case .own(let one) = self, case .own(let two) = other {
      return one === two || one.address == two.address
    }
    return locators(of: key) == other.locators(of: key)
  }
}
