import SyncFiles

extension MirrorFolder {
  /// A small file beside the index, which is replaced in one step: whoever reads has the bytes
  /// before or the new ones, and a crash leaves one of the two.
  private struct Note {
    let path: BeneathPath
    let draft: [UInt8]
    let limit: Int

    static let revision = Note(
      path: .control.appending("revision"), draft: Array("revision-new".utf8), limit: 1_024)
    static let status = Note(
      path: .control.appending("status.json"), draft: Array("status-new.json".utf8),
      limit: 64 << 10)
  }

  /// What ``writeRevision(_:durably:)`` wrote last; `nil` when there is nothing.
  ///
  /// It stands beside the index, so that it survives it.
  package func readRevision() throws -> String? {
    try read(.revision).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Keeps a text of at most 1,024 bytes. Only under the folder's lock.
  package func writeRevision(_ text: String, durably isDurable: Bool) throws {
    try write(Array(text.utf8), to: .revision, durably: isDurable)
  }

  /// What a run wrote last of how far it is; `nil` when there is nothing. Whether a run goes on,
  /// only the lock tells.
  package func readStatus() throws -> [UInt8]? { try read(.status) }

  /// Says how far a run is. It needn't outlast a loss of power. Only under the folder's lock.
  package func writeStatus(_ text: [UInt8]) throws {
    try write(text, to: .status, durably: false)
  }

  /// Says nothing any more: the run has ended. Only under the folder's lock.
  package func removeStatus() throws {
    do {
      let control = try open(.control, [.reading, .directory])
      do { try control.unlink(Note.status.path.name) } catch .absent {}
    } catch { throw FolderError(error, Note.status.path) }
  }

  private func read(_ note: Note) throws -> [UInt8]? {
    do {
      return try open(note.path, [.reading, .withoutWaiting]).readStart(limit: note.limit)
    } catch .absent {
      return nil
    } catch { throw FolderError(error, note.path) }
  }

  private func write(_ bytes: [UInt8], to note: Note, durably isDurable: Bool) throws {
    let (control, file) = try openDraft(of: note)
    do {
      try file.truncate()
      try file.write(bytes)
      if isDurable { try file.flush() }
      try control.rename(note.draft, to: control, note.path.name, .replacing)
      if isDurable { try control.flush() }
    } catch { throw FolderError(error, note.path) }
  }

  /// What stands in the draft's place is named, and not the note.
  private func openDraft(of note: Note) throws -> (control: Descriptor, file: Descriptor) {
    do {
      let control = try open(.control, [.reading, .directory])
      let file = try control.open(name: note.draft, [.writing, .creating], mode: 0o644)
      return (control, file)
    } catch { throw FolderError(error, .control.appending(note.draft)) }
  }
}
