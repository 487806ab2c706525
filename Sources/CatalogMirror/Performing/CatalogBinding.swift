import SyncDatabase
import SyncFiles
import SyncFolder
import SyncText

/// Which catalog a folder mirrors: kept in its index and in its marker, so that it survives the
/// loss of either. Folders of earlier versions have neither, and take it up in their next good run;
/// until then the address that they show tells.
struct CatalogBinding: Sendable {
  let folder: MirrorFolder
  /// `nil` when there is none that could be read.
  let index: MirrorIndex?
  let queue: any DiskQueue

  /// Makes sure that the folder mirrors no other catalog.
  /// - Throws: ``MirrorError/otherCatalog(kept:asked:)``
  func check(_ asked: CatalogIdentity) async throws {
    // What is wrong with an index, the run finds out; the marker tells meanwhile.
    let inIndex = try? await index?.read { try $0.value(.catalogIdentity) }
    let inMarker = try await queue.run { [folder] in try folder.keptCatalog() }
    var kept = inIndex ?? inMarker
    // Where items were taken up and no identity was, an earlier version did it. (A run that was
    // only asked for something leaves an address, too.)
    if kept == nil, let index {
      kept = try? await index.read { try $0.itemCount() > 0 ? $0.value(.catalog) : nil }
    }
    let identity = kept.flatMap { CatalogIdentity(kept: $0) }
    guard let identity, !identity.admits(asked) else { return }
    throw MirrorError.otherCatalog(kept: identity.text, asked: asked.text)
  }

  /// Makes sure that a folder whose catalog was checked by keys isn't made to follow it without.
  /// - Throws: ``MirrorError/keysMissing(_:)``
  func checkKeys(_ options: MirrorOptions) async throws {
    guard options.verifyKeys.isEmpty, !options.acceptsUnsigned else { return }
    try await checkKeys(anyOf: [])
  }

  /// Makes sure that one of these keys is one of those that the catalog was checked by, if it was.
  /// - Throws: ``MirrorError/keysMissing(_:)``
  func checkKeys(anyOf given: [String]) async throws {
    let keys = try await keptKeys()
    guard keys.isEmpty || !Set(keys).isDisjoint(with: given) else {
      throw MirrorError.keysMissing(keys)
    }
  }

  /// The ids of the keys that the catalog was checked by; none where nobody has asked.
  func keptKeys() async throws -> [String] {
    let inMarker = try await queue.run { [folder] in try folder.keptKeys() }
    guard inMarker.isEmpty else { return inMarker }
    // Of a folder that has lost its marker, the index tells. What is wrong with that, the run finds
    // out.
    let inIndex = try? await index?.read { try $0.value(.verifyKeys) }
    return inIndex?.split(separator: " ").map(String.init) ?? []
  }

  /// Remembers the catalog and the ids of the keys that it was checked by, where they aren't
  /// remembered yet: in the marker first, so that the index, which has the last word on the
  /// catalog, is never ahead of it. (On the keys the marker has.) A run without keys leaves those
  /// of the same catalog as they are, and keeps none of another one's.
  func keep(_ catalog: CatalogIdentity, checkedBy given: [String] = []) async throws {
    let text = catalog.text
    let kept = try await queue.run { [folder] in try folder.keptCatalog() }
    let isSame = kept.flatMap { CatalogIdentity(kept: $0) }?.admits(catalog) ?? true
    let keys = given.isEmpty && isSame ? try await keptKeys() : given
    try await queue.run { [folder] in
      guard try kept != text || folder.keptKeys() != keys else { return }
      try folder.keep(catalog: text, keys: keys)
    }
    let list = keys.isEmpty ? nil : keys.joined(separator: " ")
    guard let index,
      try await index.read({
        try $0.value(.catalogIdentity) != text || $0.value(.verifyKeys) != list
      })
    else { return }
    try await index.write {
      try $0.setValue(text, for: .catalogIdentity)
      try $0.setValue(list, for: .verifyKeys)
    }
  }
}

extension MirrorEnvironment {
  /// Makes sure that a folder that is to become a mirror doesn't lie among the files of another
  /// one: each would take the other's files for strangers'. A place in another mirror's tree where
  /// that one has nothing is as good as any.
  /// - Throws: ``FolderError``, also when the other mirror can't be asked, as while it is at work.
  func checkEnclosing(_ folder: String) async throws {
    let outer = try await makeDiskQueue().run { [fileSystem] in
      MirrorFolder.enclosing(folder, in: fileSystem)
    }
    guard let outer, await !hasNothing(outer) else { return }
    throw FolderError(
      .amongFiles(ofMirror: ByteString.escape(outer.path)), ByteString.escape(folder))
  }

  private func hasNothing(_ outer: EnclosingMirror) async -> Bool {
    let options = MirrorOptions(catalog: "", folder: outer.path)
    guard
      let inspection = try? await FolderInspection.open(
        options, in: self, observer: MirrorObserver())
    else { return false }
    let knows = try? await inspection.requireIndex()?.read { try $0.knowsItem(at: outer.place) }
    await inspection.close()
    // Without a marker it is no mirror, whatever else lies there.
    return inspection.folder == nil || knows == false
  }
}

/// An index that contradicts itself, found out by reading or writing it.
///
/// When is it looked for? A full check at every start would read each page of the file: too slow
/// for a million rows. What a run relies on it reads anyway before it does anything: the schema and
/// the migrations when the file is opened, everything but the items when the pass begins, then,
/// with the look at the files or with a new listing, every row of every item, each against its
/// checksum. So a run finds whatever `status`, `plan` or `verify` call damaged; they change nothing
/// and can only send the user to a run. (One that trusts the index and finds the listing unchanged
/// reads of the items only what it has to fetch, and may pass over damage in the others.) What is
/// damaged elsewhere is found when it is used: then the run fails, the file is set aside, and the
/// next run rebuilds it. A value that was changed into another that makes sense is no danger: the
/// look at the files compares it with what is there, and what differs is hashed, displaced and
/// fetched again, never removed.
enum IndexRebuilding: Equatable {
  /// Before anything was decided: nothing has been done yet, so the run can begin again.
  case atTheStart
  case midway

  /// What a pass that has ended tells; `nil` when the index is sound as far as known.
  init?(_ pass: MirrorPass) {
    guard pass.ending?.foundDamagedIndex == true else { return nil }
    self = pass.fetched == nil ? .atTheStart : .midway
  }
}

extension MirrorIndex {
  /// The index belongs to the folder whose id it holds. One that holds another was copied here from
  /// elsewhere: what it says may be of other files, so that it is set aside like a damaged one, and
  /// nothing is lost. A folder that had lost its marker bears a new one, and its index goes on: the
  /// look at the files tells what it still speaks of.
  func checkBelongs(to folder: MirrorFolder) async throws {
    guard let known = try await read({ try $0.value(.folderID) }), let id = folder.id?.text,
      known != id, !folder.isNewlyMarked
    else { return }
    throw DatabaseError(
      code: .damaged, message: "its id isn't that of the folder's marker", path: folder.indexPath)
  }
}

extension MirrorFolder {
  /// The path of a key that the index holds.
  /// - Throws: `.damaged` for a key that is no path: none such was recorded.
  func path(ofRecorded key: CatalogKey) throws(DatabaseError) -> RelativePath {
    do throws(KeyProblem) {
      return try RelativePath(key)
    } catch {
      throw DatabaseError(
        code: .damaged, message: "it holds a key that \(error)", path: indexPath)
    }
  }
}

extension MirrorIndex {
  /// As ``open(path:directory:access:synchronous:busyTimeout:vfs:executor:)``, beneath the folder
  /// whatever anybody does to it, and calls a file damaged whose header is nonsense. (20 bytes
  /// are read on the calling thread.)
  ///
  /// Unless it is for reading only, one that is missing is made: under another name, and renamed
  /// when it is whole. A crash leaves either none or one that needs no rollback journal, then or
  /// ever: of a disk that fails when SQLite looks for a journal, it thinks that there is none, goes
  /// on, and undoes everything since with the one that it finds later.
  static func open(
    in folder: MirrorFolder, access: ConnectionOptions.Access = .readWrite,
    synchronous: ConnectionOptions.Synchronous = .full, busyTimeout: Duration,
    vfs: String? = nil, executor: any BlockingExecutor
  ) async throws -> MirrorIndex {
    let directory = try folder.indexDirectory()
    defer { withExtendedLifetime(directory) {} }
    func open(
      _ path: String, _ access: ConnectionOptions.Access,
      _ synchronous: ConnectionOptions.Synchronous
    ) async throws -> MirrorIndex {
      try await Self.open(
        path: path, directory: vfs == nil ? directory.raw : nil, access: access,
        synchronous: synchronous, busyTimeout: busyTimeout, vfs: vfs, executor: executor)
    }
    switch try folder.indexHeader() {
    case .nonsense:
      throw DatabaseError(
        code: .damaged, message: "its header makes no sense", path: folder.indexPath)
    case .missing where access != .readOnly, .empty where access != .readOnly:
      let isDurable = synchronous == .full
      try folder.clearIndexPlace(durably: isDurable)
      // It is made durable as a whole, when its log is moved into it.
      let draft = try await open(folder.indexDraftPath, .create, .normal)
      do {
        try await draft.moveLogIntoFile()
        await draft.close()
      } catch {
        await draft.close()
        throw error
      }
      try folder.placeIndex(durably: isDurable)
    case .missing, .empty, .usable: break
    }
    return try await open(folder.indexPath, access, synchronous)
  }
}
