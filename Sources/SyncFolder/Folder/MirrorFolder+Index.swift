package import SyncFiles

extension MirrorFolder {
  private static let indexName = "index.sqlite"
  private static let indexDraftName = "index-new.sqlite"

  /// What the first bytes of the index's file say of it. Only while nobody has it open.
  package enum IndexHeader: Equatable {
    case missing
    /// Nothing in it: made, and never written to, or emptied.
    case empty
    /// A header that SQLite can work with, as far as it tells.
    case usable
    /// No header of a database, or one whose version fields no SQLite has ever written (sqlite.org,
    /// "Database File Format", section 1.3.3): SQLite calls such a file read-only or not to be
    /// opened, as it would a sound one that it lacks the rights to.
    case nonsense

    package var hasContent: Bool {
      switch self {
      case .missing, .empty: false
      case .usable, .nonsense: true
      }
    }
  }

  package func indexDirectory() throws -> Descriptor {
    do {
      return try open(.control, [.reading, .directory])
    } catch { throw FolderError(error, .control) }
  }

  package func indexHeader() throws -> IndexHeader {
    let path = BeneathPath.control.appending(Self.indexName)
    try checkIndexFiles()
    do {
      let file = try open(path, [.reading, .withoutWaiting])
      guard try file.status().kind == .file else {
        throw FolderError(.blocked, path.description)
      }
      let bytes = try file.readStart(limit: 20)
      guard !bytes.isEmpty else { return .empty }
      guard bytes.count == 20, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
        return .nonsense
      }
      return (1...2).contains(bytes[18]) && (1...2).contains(bytes[19]) ? .usable : .nonsense
    } catch Errno.absent {
      return .missing
    } catch let error as Errno { throw FolderError(error, path) }
  }

  /// Makes sure that nothing but files stand where SQLite opens some: it says of anything else only
  /// that it can't be opened, and not of which.
  private func checkIndexFiles() throws {
    for name in ["", "-wal", "-journal"].map({ Self.indexName + $0 }) {
      let path = BeneathPath.control.appending(name)
      let status: FileStatus?
      do {
        status = try open(.control, [.reading, .directory]).status(of: path.name)
      } catch { throw FolderError(error, path) }
      guard status?.kind ?? .file == .file else {
        throw FolderError(.blocked, path.description)
      }
    }
  }

  /// Removes what a run left that died while it made an index, and logs of one that is no more: a
  /// new one would be taken for theirs. Only where there is no index, under the folder's lock.
  package func clearIndexPlace(durably isDurable: Bool) throws {
    let leftovers =
      ["", "-wal", "-journal", "-shm"].map { Self.indexDraftName + $0 }
      + ["-wal", "-journal", "-shm"].map { Self.indexName + $0 }
    var path = BeneathPath.control
    do {
      let control = try open(.control, [.reading, .directory])
      var isChanged = false
      for name in leftovers {
        path = BeneathPath.control.appending(name)
        guard try control.status(of: path.name) != nil else { continue }
        try control.unlink(path.name)
        isChanged = true
      }
      if isChanged, isDurable { try control.flush() }
    } catch { throw FolderError(error, path) }
  }

  /// Gives a new index, which is whole and closed, its name.
  package func placeIndex(durably isDurable: Bool) throws {
    let path = BeneathPath.control.appending(Self.indexName)
    do {
      let control = try open(.control, [.reading, .directory])
      // An empty file may stand there.
      try control.rename(Array(Self.indexDraftName.utf8), to: control, path.name, .replacing)
      if isDurable { try control.flush() }
    } catch { throw FolderError(error, path) }
  }

  /// Makes a file beside the index and removes it: says why SQLite could not, which keeps the
  /// reason to itself.
  package func checkMakingFiles() throws {
    let path = BeneathPath.control.appending("index-probe")
    do {
      let control = try open(.control, [.reading, .directory])
      let file = try control.open(name: path.name, [.writing, .creating], mode: 0o600)
      defer { try? control.unlink(path.name) }
      // Where only the room is used up, an empty file can still be made.
      try file.write([UInt8](repeating: 0, count: 4_096))
    } catch { throw FolderError(error, path) }
  }

  /// Moves the index's file and its log to a name that tells when, and gives that name. Only while
  /// nobody has it open, under the folder's lock.
  package func setIndexAside(at stamp: String) throws -> String {
    do {
      let control = try open(.control, [.reading, .directory])
      var name = "index-damaged-\(stamp).sqlite"
      var number = 1
      while try control.status(of: Array(name.utf8)) != nil {
        number += 1
        name = "index-damaged-\(stamp)-\(number).sqlite"
      }
      // The file first: to a log without its file SQLite pays no heed, and removes it.
      for suffix in ["", "-wal", "-journal"] {
        do {
          try control.rename(
            Array((Self.indexName + suffix).utf8), to: control, Array((name + suffix).utf8),
            .intoEmptyPlace)
        } catch .absent {}
      }
      do { try control.unlink(Array((Self.indexName + "-shm").utf8)) } catch .absent {}
      return name
    } catch { throw FolderError(error, BeneathPath.control.appending(Self.indexName)) }
  }
}
