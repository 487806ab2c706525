import CatalogMirror
import SyncFiles
import SyncFolder
import SyncText

/// Walks a folder through descriptors, so that no symbolic link leads out of it, and tells what
/// lies there. It reads no file.
struct FolderWalk {
  /// A regular file, as it was when its directory was listed.
  struct Found {
    var path: RelativePath
    var status: FileStatus
    /// Whether everybody may read it, by its rights and those of its directories in the folder.
    var isPublic: Bool
  }

  private let place: CatalogPlace
  private let stop: StopFlag
  private let enter: (Descriptor, Bool) throws(PublishError) -> Void
  private(set) var files: [Found] = []
  private(set) var skipped: [PublishReport.Skipped] = []

  /// A walk.
  /// - Parameter enter: Told of each directory before it is listed, and whether the catalog goes
  ///   there.
  init(
    for place: CatalogPlace, until stop: StopFlag,
    enter: @escaping (Descriptor, Bool) throws(PublishError) -> Void
  ) {
    self.place = place
    self.stop = stop
    self.enter = enter
  }

  /// Gives away the files that it has found: they needn't be held for as long as the walk.
  mutating func takeFiles() -> [Found] {
    defer { files = [] }
    return files
  }

  /// Walks everything, in the byte order of the names.
  /// - Throws: ``PublishError``, or `CancellationError` when it is to stop.
  mutating func run(through root: Descriptor) throws {
    // Reading a directory moves its descriptor's place: "." is another open file.
    // Whoever gets at a pack got through the folder itself.
    try walk(try open(Array(".".utf8), in: root, key: nil), prefix: [], isPublic: true)
  }

  private mutating func walk(_ directory: Descriptor, prefix: [UInt8], isPublic: Bool) throws {
    let shown = prefix.isEmpty ? "." : CatalogKey.escape(prefix)
    let names = try PublishError.translating("look at", shown) { () throws(Errno) in
      try place.names(in: directory)
    }
    try enter(directory, !names.isEmpty)
    let entries = try PublishError.translating("list", shown) { () throws(Errno) in
      try directory.entries()
    }
    for entry in entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      if try isCatalogs(entry, in: directory, of: names, shown) { continue }
      if try isMirrors(entry, in: directory, prefix, shown) { continue }
      try visit(
        entry, in: directory, key: CatalogKey(bytes: prefix + entry.name), isPublic: isPublic)
    }
  }

  /// Whether this is a catalog's own: what is kept beside one, wherever it lies, and the others
  /// only in the place of this one. A directory with the name of a memory is somebody's, and so is
  /// one with the name of packs that isn't marked.
  private func isCatalogs(
    _ entry: DirectoryEntry, in directory: Descriptor, of names: [String], _ shown: String
  ) throws(PublishError) -> Bool {
    if entry.kind == .directory, PublishedNames.isCompanion(entry.name) {
      return try PublishError.translating("look at", shown) { () throws(Errno) in
        try PublishedNames.isMarked(directory.open(name: entry.name, [.reading, .directory]))
      }
    }
    guard !PublishedNames.isState(entry.name) else { return entry.kind != .directory }
    return names.contains { CatalogPlace.isOwn(entry.name, of: $0) }
  }

  /// Whether this is what a mirror keeps for itself: at the top whatever it holds, as no key leads
  /// there, and further down that of a mirror that stands there.
  private func isMirrors(
    _ entry: DirectoryEntry, in directory: Descriptor, _ prefix: [UInt8], _ shown: String
  ) throws(PublishError) -> Bool {
    guard entry.name.elementsEqual(RelativePath.mirrorFolder.utf8) else { return false }
    if prefix.isEmpty { return true }
    return try PublishError.translating("look at", shown) { () throws(Errno) in
      try MirrorFolder.holdsMirror(directory)
    }
  }

  private mutating func visit(
    _ entry: DirectoryEntry, in directory: Descriptor, key: CatalogKey, isPublic: Bool
  ) throws {
    try stop.check()
    let path: RelativePath
    do throws(KeyProblem) {
      path = try RelativePath(key)
    } catch {
      return skip(key, .key(error))
    }
    switch entry.kind {
    case .directory:
      let inner = try open(entry.name, in: directory, key: key)
      let status = try PublishError.translating("look at", key.description) { () throws(Errno) in
        try inner.status()
      }
      try walk(
        inner, prefix: key.bytes + [UInt8(ascii: "/")],
        isPublic: isPublic && status.letsEverybodyThrough)
    case .file:
      let status = try PublishError.translating("look at", key.description) { () throws(Errno) in
        try directory.status(of: entry.name)
      }
      guard let status, status.kind == .file else {
        throw PublishError.changing(path: key.description)
      }
      files.append(
        Found(path: path, status: status, isPublic: isPublic && status.letsEverybodyRead))
    case .symbolicLink: skip(key, .symbolicLink)
    case .special(let kind): skip(key, .special(kind))
    }
  }

  private func open(
    _ name: [UInt8], in directory: Descriptor, key: CatalogKey?
  ) throws(PublishError) -> Descriptor {
    try PublishError.translating("open", key?.description ?? ".") { () throws(Errno) in
      try directory.open(name: name, [.reading, .directory])
    }
  }

  private mutating func skip(_ key: CatalogKey, _ reason: PublishReport.Skipped.Reason) {
    skipped.append(.init(name: key.description, reason: reason))
  }
}

extension FileStatus {
  /// Whether who isn't its owner nor of its group may read this file.
  var letsEverybodyRead: Bool { mode & 0o004 != 0 }
  /// Whether such a one gets at what is in this directory.
  fileprivate var letsEverybodyThrough: Bool { mode & 0o001 != 0 }
}
