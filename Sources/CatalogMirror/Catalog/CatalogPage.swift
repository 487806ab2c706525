public import SyncFolder
public import SyncText

/// What one body gave. `CatalogFormats` reads it, and allows the addresses in it.
public struct CatalogPage: Hashable, Sendable {
  /// The format that read it.
  public var format: CatalogFormatName
  /// The entries with a key, in their order. Keys of a directory's page are names in that
  /// directory.
  public var entries: [ListedEntry] = []
  /// Where its entries stand, where some were taken out as the body came.
  package var lines = PageLines()
  /// What has no key; it isn't among `entries`.
  package private(set) var keyless = KeylessEntries()
  package var items: [NamedItem] = []
  /// What the source needn't have in each form that is listed; `PageFetch` finds out what it has.
  package var forms: [ListedForms] = []
  /// What the page says of the whole listing.
  public var header = CatalogHeader()
  /// The next page of the chain. Its address is made absolute.
  public var next: CatalogRequest?
  /// Further pages that belong to the list, in its order: all of them are needed.
  public var parts: [CatalogRequest] = []
  /// The directories in this directory. One whose page can't be had speaks only for itself.
  public var subdirectories: [Subdirectory] = []
  /// What comes last, beside ``MirrorOptions/last`` and as if it stood there before: an index that
  /// names other files. Default: nothing.
  public var last: [KeyPattern] = []
  /// Files that hold many of its small ones.
  package var packs = ListedPacks()
  /// What it takes to believe the page.
  package var terms = PageTerms()
  /// Whether the page says that it belongs to a whole list.
  public var claim: CompletenessClaim
  /// With the claim ``CompletenessClaim/changes``: keys of what is no longer in the catalog; one
  /// that ends with a slash stands for everything below that directory.
  public var removed: [CatalogKey] = []
  package var notes = PageNotes()
  /// On the first page, where the format can ask for what has changed since: what it wants to be
  /// given then (``CatalogFormat/firstRequest(to:since:)``). On a later page of the chain, in place
  /// of what the page before said.
  public var checkpoint: String?

  /// An empty page.
  public init(format: CatalogFormatName, claim: CompletenessClaim) {
    self.format = format
    self.claim = claim
    if format == .catalog { terms.repetition = .refused }
  }

  mutating func add(_ others: KeylessEntries) { keyless.add(others, after: 0) }

  /// How many entries the page has, known or not, with a key or without.
  package var count: Int { entries.count + lines.known.count + keyless.count }

  var isEmpty: Bool {
    count + subdirectories.count + parts.count + removed.count == 0
      && notes.passedOver + notes.unreadLinks.count == 0
  }

  /// Takes the next entry, at its position in the page, counted from 1.
  public mutating func take(_ entry: ListedEntry, at position: Int) {
    if case .unusable(let unusable) = entry, unusable.key == nil {
      return keyless.add(at: position, unusable.problem)
    }
    let isGapless = lines.positions.isEmpty && position == entries.count + 1
    if !isGapless, lines.positions.isEmpty {
      lines.positions = entries.indices.map { UInt32($0 + 1) }
    }
    entries.append(entry)
    entries.packLast()
    if !isGapless { lines.positions.append(UInt32(position)) }
  }

  /// Packs the entries that aren't yet, once there are no more.
  mutating func packRest() {
    entries.pack(entries.count - entries.count % [ListedEntry].packedTogether..<entries.count)
  }

  /// A directory that a directory's page names.
  public struct Subdirectory: Hashable, Sendable, Codable {
    /// What to ask for its page; the address is absolute.
    public var request: CatalogRequest
    /// Its name, which stands before its keys with a slash between.
    public var name: [UInt8]

    private enum CodingKeys: String, CodingKey {
      case request = "url"
      case name
    }

    /// A directory.
    public init(_ request: CatalogRequest, name: [UInt8]) {
      self.request = request
      self.name = name
    }

    /// A directory whose page is had by a `GET` of its URL, which ends with a slash.
    package init(url: String, name: [UInt8]) {
      self.init(CatalogRequest(url), name: name)
    }
  }
}

/// Where the entries of a page stand whose lines were looked at as they came.
package struct PageLines: Hashable, Sendable {
  /// The lines of entries that the index has already; they aren't among the page's entries.
  package var known: [KnownLine] = []
  /// The positions of the page's entries, counted from 1; empty when none is missing between.
  package var positions: [UInt32] = []
}

/// A file that a page lists in one form or several, plain or packed, of which the source needn't
/// have each.
package struct ListedForms: Hashable, Sendable {
  package struct Form: Hashable, Sendable {
    /// The file, and then the same under other names.
    var entries: [ListedEntry]
    /// Whether it is looked for only where no other form is there.
    var isSpare: Bool
    /// How it is read for what it lists; `nil` where it can't be, or needn't.
    var reading: CatalogRequest?
  }

  /// In the order in which they are read.
  var forms: [Form] = []
  /// Whether nothing is wrong where no form is there.
  var isOptional: Bool
  /// Whether it has to be read, in one of its forms.
  var isRead = false

  /// The endings of the forms.
  var packings: [String] {
    forms.compactMap { $0.entries.first?.key }.map { key in
      let name = key.description.split(separator: "/").last ?? ""
      return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? "plain"
    }
  }
}

/// What it takes to believe a page.
package struct PageTerms: Hashable, Sendable {
  /// Default: what doesn't contradict is one entry; in a catalog of format 1, an error of the
  /// listing. Among changes, the last word counts.
  package var repetition = Repetition.joined
  /// Default: not at all.
  package var signature = Signature.none
  /// The key of a file that would have been read in its place, had it been there. It is no entry,
  /// and counts as gone only where the copy doesn't hold it.
  package var standsFor: CatalogKey?

  /// How a page is signed by OpenPGP (RFC 9580).
  package enum Signature: Hashable, Sendable {
    case none
    /// In clear, within itself (section 7).
    case inClear
    /// By a file beside it, which is an item of the mirror as well, if it is there.
    case beside(CatalogRequest, key: CatalogKey)
  }

  /// What it means that a key is listed twice.
  package enum Repetition: Hashable, Sendable {
    /// An error of the listing, whatever the two say.
    case refused
    /// One entry, of which all counts that is said (``ListedEntry/joined(with:)``). Where the two
    /// contradict, an error of the listing.
    case joined
    /// What an earlier page says counts: feeds list the newest first, and an archive may still hold
    /// what was said before.
    case ofOlderEntries
  }
}

/// An entry that can't be used, and why.
public struct UnusableEntry: Error, Hashable, Sendable, CustomStringConvertible {
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

  /// The path that its key is; `nil` also where the key is none.
  var path: RelativePath? { key.flatMap { try? RelativePath($0) } }

  /// A sentence that names the entry by its position and its key.
  public var description: String {
    sentence(of: "entry \(position)" + (key.map { ", '\($0)'," } ?? ""))
  }

  /// The same after the key, or after the position of one that has none.
  var descriptionOfIt: String {
    key == nil ? "it \(problem)\(remedy)" : sentence(of: "entry \(position)")
  }

  private func sentence(of name: String) -> String {
    "\(name) can't be used: it \(problem)\(remedy)"
  }

  /// Which option of the mirror may help: what has a key can be left out.
  var advice: MirrorAdvice? {
    if case .mapped = problem { return .correctMapping }
    return key == nil ? nil : .leaveOut
  }

  private var remedy: String {
    if case .mapped = problem { return ". Correct the mapping, or tell who runs the source." }
    let rest = key == nil ? "" : "; until then, it can be left out"
    return ". Mend it at the source or tell who runs it\(rest)."
  }
}

/// What is wrong with one entry.
public enum EntryProblem: Error, Hashable, Sendable, CustomStringConvertible {
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
  /// It has no SHA-256, or its preview has none, and the catalog is believed by its signature.
  case noDigest(ofPreview: Bool)
  /// No locator can be followed; why the first one can't.
  case locator(LocatorProblem)
  /// The directory holds a name that is neither a file nor a directory.
  case notAFile

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
    case .noDigest(let isOfPreview):
      """
      has \(isOfPreview ? "a preview without" : "no") "sha256", so that its signer says nothing of \
      the bytes
      """
    case .locator(let problem): "has a URL that \(problem)"
    case .notAFile: "is neither a file nor a directory, such as a link that leads nowhere"
    }
  }
}
