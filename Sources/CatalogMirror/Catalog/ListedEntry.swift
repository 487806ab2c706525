public import SyncFolder

/// One position of a listing: an entry, or why there is none.
public enum ListedEntry: Hashable, Sendable {
  /// An entry. It is `settled` when its version tells every later state from this one; when it
  /// isn't (no version at all, or a date as young as the listing), equality of versions proves
  /// nothing and the item is looked at again next time.
  case entry(CatalogEntry, settled: Bool)
  /// Something that can't be used: one failed item that counts as present. It would make every
  /// entry take as much memory, were it not kept apart.
  indirect case unusable(UnusableEntry)

  /// The key, if one could be read.
  public var key: CatalogKey? {
    switch self {
    case .entry(let entry, _): entry.key
    case .unusable(let unusable): unusable.key
    }
  }
}

/// An entry that can't be used, and why.
public struct UnusableEntry: Error, Hashable, Sendable {
  /// Its place in the listing, counted from 1; in a ``CatalogPage``, in the page.
  public var position: Int
  /// Its key, if one could be read.
  public var key: CatalogKey?
  /// What is wrong.
  public var problem: EntryProblem

  /// An entry with a problem.
  public init(position: Int, key: CatalogKey?, problem: EntryProblem) {
    self.position = position
    self.key = key
    self.problem = problem
  }
}

extension UnusableEntry {
  /// The path that its key is; `nil` also where the key is none.
  var path: RelativePath? { key.flatMap { try? RelativePath($0) } }
}

extension UnusableEntry: CustomStringConvertible {
  /// A sentence that names the entry by its position and its key.
  public var description: String {
    sentence(of: "entry \(position)" + (key.map { ", '\($0)'," } ?? ""))
  }

  /// The same after the key, or after the position of one that has none.
  public var descriptionOfIt: String {
    key == nil ? "it \(problem)\(remedy)" : sentence(of: "entry \(position)")
  }

  private func sentence(of name: String) -> String {
    "\(name) can't be used: it \(problem)\(remedy)"
  }

  /// What to do, after the rest of the sentence.
  private var remedy: String {
    switch problem {
    case .mapped: ". Correct the mapping, or mend it where the catalog is published."
    case .key, .collision, .noKey, .field, .locator, .notAFile:
      ". Mend it where the catalog is published."
    }
  }
}

/// What is wrong with one entry.
public enum EntryProblem: Error, Hashable, Sendable {
  /// The key is no path.
  case key(KeyProblem)
  /// The key can't stand beside another one.
  case collision(KeyCollision)
  /// There is no key that can be read.
  case noKey
  /// A field isn't of the type or form that it must have.
  case field(name: String, expected: String)
  /// What a ``JSONMapping`` looks for isn't at its path, or isn't what it should be there.
  case mapped(field: String, path: String, expected: String?)
  /// No locator can be followed; why the first one can't.
  case locator(LocatorProblem)
  /// The directory holds a name that is neither a file nor a directory.
  case notAFile
}

extension EntryProblem: CustomStringConvertible {
  /// What is wrong, as the end of a sentence that began with the entry.
  public var description: String {
    switch self {
    case .key(let problem): "has a key that \(problem)"
    case .collision(let collision): "\(collision)"
    case .noKey: "has no key that can be read; give it a \"key\" that is a string and not empty"
    case .field(let name, let expected): "has a field \"\(name)\" that isn't \(expected)"
    case .mapped(let field, let path, nil):
      "has no value at '\(path)', where its \(field) is looked for"
    case .mapped(let field, let path, let expected?):
      "has at '\(path)', where its \(field) is looked for, what isn't \(expected)"
    case .locator(let problem): "has a URL that \(problem)"
    case .notAFile: "is neither a file nor a directory, such as a link that leads nowhere"
    }
  }
}
