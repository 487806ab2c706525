private import SyncDatabase
import SyncFolder
import SyncText

/// The name of a value that the index keeps once.
package struct ValueName: Sendable {
  /// The name as it is stored; never changed once released.
  package let name: String

  package init(_ name: String) {
    self.name = name
  }

  /// Whether the index was made anew for a folder that was a mirror already.
  static let wasLost = ValueName("index.was-lost")
  /// The id that the folder's marker carries too.
  package static let folderID = ValueName("folder.id")
  /// The catalog's address, without secrets.
  package static let catalog = ValueName("catalog")
  /// The identity of the catalog that the folder mirrors. The caller compares.
  package static let catalogIdentity = ValueName("catalog.identity")
  /// The ids of the keys that this catalog was checked by. The caller compares.
  package static let verifyKeys = ValueName("catalog.keys")
  /// Until when the state of a signed catalog may be taken that was taken last, and the catalog, as
  /// ``highestRevision`` is kept; or that it was taken without keys, where there were some before.
  package static let catalogExpires = ValueName("catalog.expires")
  /// What tells the set of directories that the last run couldn't read from others. The caller
  /// compares.
  package static let unreadableDirectories = ValueName("directories.unreadable")
  /// The first of these directories with their reasons, in lines; only shown to people.
  package static let unreadableList = ValueName("directories.unreadable.list")
  /// What the source listed in the last run, and neither gave then nor before: keys, in lines.
  package static let flawedItems = ValueName("items.flawed")
  /// How many files the newest runs adopted, in lines.
  static let adoptionCounts = ValueName("runs.adopted")
  /// Why the last run that got a listing couldn't remove anything, in lines. The caller compares.
  package static let partialReasons = ValueName("listing.partial")
  /// What tells the scope of the last run from others; absent, it was everything. The caller
  /// compares.
  package static let scope = ValueName("scope")
  /// Whether any run wanted contents: `no` while all were of previews only.
  package static let wantsContents = ValueName("contents.wanted")
  package static let listedDirectories = ValueName("directories.empty")
  package static let madeDirectories = ValueName("directories.made")
  /// Whether the listing that the validators speak of names packs: `yes`, or absent.
  package static let namesPacks = ValueName("listing.packs")
  /// What the repository had no longer at its last state, and stayed.
  package static let supersededNames = ValueName("names.superseded")
  /// How many items a run may remove at once, by the last run's options.
  package static let removalRule = ValueName("rules.removal")
  /// How many seconds removed files are kept, by the last run's options.
  package static let keepingRule = ValueName("rules.kept")
  /// What the filters of the last run were, in lines for people.
  package static let filterRules = ValueName("rules.filters")
  /// The highest ordered revision seen. The caller compares.
  package static let highestRevision = ValueName("revision.highest")
}

extension IndexAccess {
  package func value(_ name: ValueName) throws -> String? {
    try connection.row("SELECT * FROM meta WHERE name = ?1", name.name) { try value(in: $0) }
  }

  /// Reads all values.
  /// - Throws: `.damaged` or `.wrongType` for one that isn't what was stored.
  func checkValues() throws {
    try connection.query("SELECT * FROM meta") { _ = try value(in: $0) }
  }

  private func value(in row: borrowing Row) throws -> String {
    try row.requireChecksum("checksum")
    return try row.text("value")
  }
}

extension IndexWriter {
  /// Stores a value under a name, or with `nil` takes it away.
  package func setValue(_ value: String?, for name: ValueName) throws {
    guard let value else {
      try connection.run("DELETE FROM meta WHERE name = ?1", name.name)
      return
    }
    try connection.run(
      "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)", name.name, value)
  }
}

/// The rules under which the last run worked in a folder.
public struct MirrorRules: Sendable, Equatable {
  /// How many items it might remove at once.
  public var maximumRemoval: MirrorOptions.MaximumRemoval
  /// How long removed files are kept.
  public var keepRemoved: Duration
  /// What it left out, in words: none, the default, for nothing.
  public var filters: [String] = []

  init(_ options: MirrorOptions) {
    maximumRemoval = options.maximumRemoval
    keepRemoved = options.keepRemoved
    filters = options.scope.words
  }

  /// What the index keeps of the last run; `nil` where none has kept any.
  init?(in index: some IndexAccess) throws {
    guard let removal = try index.value(.removalRule).flatMap(MirrorOptions.MaximumRemoval.init),
      let seconds = try index.value(.keepingRule).flatMap({ Int64($0) })
    else { return nil }
    (maximumRemoval, keepRemoved) = (removal, .seconds(seconds))
    filters = try index.value(.filterRules)?.split(separator: "\n").map(String.init) ?? []
  }

  func keep(in index: MirrorIndex) async throws {
    guard try await index.read({ try MirrorRules(in: $0) }) != self else { return }
    let seconds = keepRemoved.components.seconds
    let filters = filters.isEmpty ? nil : filters.joined(separator: "\n")
    try await index.write { [maximumRemoval] writer in
      try writer.setValue(maximumRemoval.stored, for: .removalRule)
      try writer.setValue("\(seconds)", for: .keepingRule)
      try writer.setValue(filters, for: .filterRules)
    }
  }
}

extension MirrorOptions.MaximumRemoval {
  /// The limit as the index keeps it: a word, and a number where it has one.
  var stored: String {
    switch self {
    case .guarded: "guarded"
    case .count(let most): "count \(most)"
    case .share(let most): "share \(most)"
    case .all: "all"
    case .never: "never"
    }
  }

  init?(stored text: String) {
    let parts = text.split(separator: " ").map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("guarded", nil): self = .guarded
    case ("all", nil): self = .all
    case ("never", nil): self = .never
    case ("count", let number?):
      guard let most = Int(number) else { return nil }
      self = .count(most)
    case ("share", let number?):
      guard let most = Double(number) else { return nil }
      self = .share(most)
    default: return nil
    }
  }
}

/// Paths in their order, as the index keeps them: a line each.
struct PathList: Equatable, Sendable {
  private(set) var paths: [RelativePath]

  init(_ paths: some Sequence<RelativePath>) {
    self.paths = Set(paths).sorted { $0.key < $1.key }
  }

  var keys: Set<CatalogKey> { Set(paths.map(\.key)) }

  /// No path holds a line break.
  var text: String { paths.map(\.string).joined(separator: "\n") }

  init(kept text: String?) {
    let lines = (text ?? "").utf8.split(separator: UInt8(ascii: "\n"))
    self.init(lines.compactMap { try? RelativePath(CatalogKey(bytes: Array($0))) })
  }

  init(_ name: ValueName, in index: some IndexAccess) throws {
    self.init(kept: try index.value(name))
  }

  func subtracting(_ other: PathList) -> PathList {
    let others = Set(other.paths)
    return PathList(paths.filter { !others.contains($0) })
  }

  func union(_ other: PathList) -> PathList {
    PathList(paths + other.paths)
  }
}
