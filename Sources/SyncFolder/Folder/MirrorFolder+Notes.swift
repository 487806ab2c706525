import SyncFiles

extension MirrorFolder {
  private static let revision = BeneathPath.control.appending("revision")
  private static let revisionDraft = BeneathPath.control.appending("revision-new")

  /// What ``writeRevision(_:durably:)`` wrote last; `nil` when there is nothing.
  ///
  /// It stands beside the index, so that it survives it.
  package func readRevision() throws -> String? {
    do {
      let file = try open(Self.revision, [.reading, .withoutWaiting])
      return String(decoding: try file.readStart(limit: 1_024), as: UTF8.self)
    } catch .absent {
      return nil
    } catch { throw FolderError(error, Self.revision) }
  }

  /// Keeps a text of at most 1,024 bytes, in one step: a crash leaves the old one or the new one.
  /// Only under the folder's lock.
  package func writeRevision(_ text: String, durably: Bool) throws {
    do {
      let control = try open(.control, [.reading, .directory])
      let draft = Self.revisionDraft.name
      let file = try control.open(name: draft, [.writing, .creating], mode: 0o644)
      try file.truncate()
      try file.write(Array(text.utf8))
      if durably { try file.flush() }
      try control.rename(draft, to: control, Self.revision.name, .replacing)
      if durably { try control.flush() }
    } catch { throw FolderError(error, Self.revision) }
  }
}

extension MirrorFolder {
  private static let status = BeneathPath.control.appending("status.json")
  private static let statusDraft = BeneathPath.control.appending("status-new.json")
  private static let longestStatus = 64 << 10

  /// What a run wrote last of how far it is; `nil` when there is nothing. Whether a run goes on,
  /// only the lock tells.
  package func readStatus() throws -> [UInt8]? {
    do {
      let file = try open(Self.status, [.reading, .withoutWaiting])
      return try file.readStart(limit: Self.longestStatus)
    } catch .absent {
      return nil
    } catch { throw FolderError(error, Self.status) }
  }

  /// Says how far a run is, in one step: whoever reads has the text before or this one. It needn't
  /// outlast a loss of power. Only under the folder's lock.
  package func writeStatus(_ text: [UInt8]) throws {
    do {
      let control = try open(.control, [.reading, .directory])
      let draft = Self.statusDraft.name
      let file = try control.open(name: draft, [.writing, .creating], mode: 0o644)
      try file.truncate()
      try file.write(text)
      try control.rename(draft, to: control, Self.status.name, .replacing)
    } catch { throw FolderError(error, Self.status) }
  }

  /// Says nothing any more: the run has ended. Only under the folder's lock.
  package func removeStatus() throws {
    do {
      let control = try open(.control, [.reading, .directory])
      do { try control.unlink(Self.status.name) } catch .absent {}
    } catch { throw FolderError(error, Self.status) }
  }
}
