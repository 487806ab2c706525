import SyncText

/// Reads entries of catalog format 1. An entry that can't be used spoils no other.
struct EntryReader {
  private let resolver: LocatorResolver
  /// Where keys lie by themselves; `nil` where more has to be looked at.
  private let directory: EntryPlace.Directory?
  private let requiresDigests: Bool

  /// A reader for a catalog whose relative URLs start from `base`.
  /// - Parameter requiresDigests: Whether an entry without a digest, or with a preview without one,
  ///   can't be used.
  init(base: URLReference, catalog: URLReference, requiresDigests: Bool = false) {
    self.requiresDigests = requiresDigests
    resolver = LocatorResolver(base: base, catalog: catalog)
    directory = Self.directory(of: base, in: catalog).map(EntryPlace.Directory.init)
  }

  /// A reader for the lines of a catalog.
  init(_ lines: CatalogLines) {
    self.init(
      base: lines.base, catalog: lines.catalog, requiresDigests: lines.requiresDigests)
  }

  /// The directory of a base, where all that lies in it may be followed.
  private static func directory(of base: URLReference, in catalog: URLReference) -> String? {
    guard let here = URLReference("./") else { return nil }
    let directory = here.resolved(against: base)
    let inside = directory.appending(encodedName: "x")
    guard LocatorRules(catalog: catalog).problem(with: inside) == nil, directory.query == nil
    else { return nil }
    return directory.text
  }

  /// Reads an element of `items`, of a bare array, or a line.
  func read(_ value: JSONValue, position: Int) -> ListedEntry {
    guard let members = value.members,
      let key = members.first(where: { $0.name.elementsEqual("key".utf8) })?.value.stringBytes,
      !key.isEmpty
    else { return keyless(at: position) }
    return read(members, key: CatalogKey(bytes: key), position: position)
  }

  /// An empty key names nothing, and in a few bytes on the wire there may be millions.
  private func keyless(at position: Int) -> ListedEntry {
    .unusable(UnusableEntry(position: position, key: nil, problem: .noKey))
  }

  /// Reads a member of a mapping: a URL, or an entry that leaves out its key.
  func read(mapped member: JSONValue.Member, position: Int) -> ListedEntry {
    guard !member.name.isEmpty else { return keyless(at: position) }
    let key = CatalogKey(bytes: member.name)
    if let members = member.value.members { return read(members, key: key, position: position) }
    let url = JSONValue.Member(name: "url", value: member.value)
    return read([url], key: key, position: position)
  }

  private func read(
    _ members: [JSONValue.Member], key: CatalogKey, position: Int
  ) -> ListedEntry {
    ListedEntry(key, at: position) { () throws(EntryProblem) in
      let entry = try entry(members, key: key)
      return (entry, entry.version != .unknown)
    }
  }

  private func entry(
    _ members: [JSONValue.Member], key: CatalogKey
  ) throws(EntryProblem) -> CatalogEntry {
    var entry = ownEntry(key) ?? CatalogEntry(key: key, locators: [])
    var facts = VersionFacts()
    var extra: [String] = []
    for member in members where !member.value.isNull {
      let value = member.value
      switch String(decoding: member.name, as: UTF8.self) {
      case "key": break
      case "url": entry.locators = try locators(value)
      case "title": entry.title = try string(value, "title")
      case "order": entry.order = try order(value)
      case "preview": entry.preview = try preview(value)
      case "pack": entry.pack = PackPlace(value)
      case "modified":
        let text = try string(value, "modified")
        guard let seconds = CivilTime.rfc3339(text) else {
          throw .field(name: "modified", expected: "an RFC 3339 date and time")
        }
        entry.modified = seconds
        facts.date = text
      default:
        if try !facts.take(member) { extra.append(member.nameText + ":" + value.text) }
      }
    }
    if !entry.isWhereItsKeySays, entry.locators.isEmpty {
      entry.locators = [try resolver.address(ofPath: key.bytes)]
    }
    guard !requiresDigests || facts.digest != nil else { throw .noDigest(ofPreview: false) }
    entry.version = facts.version
    entry.size = facts.size
    entry.sha256 = facts.digest
    entry.extra = extra.isEmpty ? nil : "{" + extra.joined(separator: ",") + "}"
    return entry
  }

  /// Reads a line that holds a ``PlainEntry`` all of whose addresses can be followed; `nil` for any
  /// other, of which ``read(_:position:)`` tells. What both read is the same.
  func plainEntry(line: UnsafeRawBufferPointer) -> CatalogEntry? {
    guard UTF8Fault.first(in: line) == nil, let plain = PlainEntry(line),
      !requiresDigests || plain.sha256 != nil
    else { return nil }
    let text = { (range: Range<Int>) in String(decoding: line[range], as: UTF8.self) }
    var facts = VersionFacts()
    facts.digest = plain.sha256
    facts.revision = plain.version.map(text)
    facts.size = plain.size
    // Where one of these is the version, the date's text would be made for nothing.
    if facts.digest == nil, facts.revision == nil { facts.date = plain.date.map(text) }
    guard
      var entry = plainEntry(
        CatalogKey(bytes: Array(line[plain.key])), at: plain.url.map(text), facts.version)
    else { return nil }
    entry.size = plain.size
    entry.sha256 = plain.sha256
    entry.modified = plain.modified
    if let order = plain.order {
      guard let order = Int(exactly: order) else { return nil }
      entry.order = order
    }
    if let title = plain.title { entry.title = text(title) }
    entry.pack = plain.pack
    return entry
  }

  /// An entry at an address, or else where its key says; `nil` where that can't be followed.
  private func plainEntry(
    _ key: CatalogKey, at url: String?, _ version: ItemVersion
  ) -> CatalogEntry? {
    let address: String?
    if let url {
      address = try? resolver.address(url)
    } else if let entry = ownEntry(key, version) {
      return entry
    } else {
      address = try? resolver.address(ofPath: key.bytes)
    }
    return address.map { CatalogEntry(key: key, locators: [$0], version: version) }
  }

  /// An entry that lies where its key says, if that is a plain path in a directory where all may be
  /// followed, as most are.
  private func ownEntry(_ key: CatalogKey, _ version: ItemVersion = .unknown) -> CatalogEntry? {
    guard let directory, URLReference.isPlainPath(key.bytes) else { return nil }
    return CatalogEntry(plainKey: key, in: directory, version: version)
  }

  private func preview(_ value: JSONValue) throws(EntryProblem) -> CatalogEntry.Preview {
    guard let members = value.members else {
      throw .field(name: "preview", expected: "an object")
    }
    var locator: String?
    var hint = PackHint()
    var facts = VersionFacts()
    for member in members where !member.value.isNull {
      if member.name.elementsEqual("url".utf8) {
        locator = try locators(member.value).first
      } else if member.name.elementsEqual("pack".utf8) {
        hint.place = PackPlace(member.value)
      } else {
        _ = try facts.take(member)
      }
    }
    guard let locator else { throw .field(name: "preview", expected: "an object with a \"url\"") }
    guard !requiresDigests || facts.digest != nil else { throw .noDigest(ofPreview: true) }
    var preview = CatalogEntry.Preview(locator: locator, version: facts.version)
    preview.size = facts.size
    preview.sha256 = facts.digest
    preview.hint = hint
    return preview
  }

  /// The URLs that can be followed, in their order; there is at least one.
  private func locators(_ value: JSONValue) throws(EntryProblem) -> [String] {
    var texts: [String] = []
    for element in value.elements ?? [value] {
      guard let text = element.string else {
        throw .field(name: "url", expected: "a string or an array of strings")
      }
      texts.append(text)
    }
    return try resolver.addresses(texts)
  }

  private func string(_ value: JSONValue, _ name: String) throws(EntryProblem) -> String {
    guard let text = value.string else { throw .field(name: name, expected: "a string") }
    return text
  }

  private func order(_ value: JSONValue) throws(EntryProblem) -> Int {
    guard let order = value.integer.flatMap(Int.init(exactly:)) else {
      throw .field(name: "order", expected: "an integer")
    }
    return order
  }
}
