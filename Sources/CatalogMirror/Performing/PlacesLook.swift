import SyncFiles
import SyncFolder
import SyncText

/// The look at the places where the items of a plan go: what stands there, and what a sync would
/// make of it. Files whose bytes can be told by a digest are read, as a sync would.
extension RunContext {
  /// What stands in the places of these; nothing is told of places where nothing stands.
  ///
  /// - Parameter isOurs: Whether the index holds a key: what stands there is ours.
  func places(
    of planned: [PlannedFetch], in folder: MirrorFolder,
    isOurs: @escaping @Sendable (CatalogKey) -> Bool
  ) async throws -> [CatalogKey: PlaceFinding] {
    let wanted = planned.compactMap { one -> (PlannedFetch, PlaceableEntry)? in
      guard one.wantsContent, !one.isHeld else { return nil }
      return one.entry.map { (one, $0) }
    }
    let looks = try await target.fileQueue.run { folder.look(at: wanted.map(\.1.path)) }
    var findings: [CatalogKey: PlaceFinding] = [:]
    for ((one, entry), look) in zip(wanted, looks) {
      guard case .success(let status?) = look else { continue }
      if status.kind == .directory {
        let foreign = try await target.fileQueue.run {
          try folder.foreignFiles(below: entry.path) { isOurs($0) }
        }
        findings[entry.key] = .directory(foreign: foreign)
      } else if status.kind == .file {
        findings[entry.key] = try await finding(entry, isKnown: one.isKnown, status, in: folder)
      }
    }
    return findings
  }

  private func finding(
    _ entry: PlaceableEntry, isKnown: Bool, _ status: FileStatus, in folder: MirrorFolder
  ) async throws -> PlaceFinding {
    if let size = entry.size, size != status.size { return .other }
    if let proof = entry.proof {
      return try await hash(entry.path, in: folder, by: proof).digests.prove(proof)
        ? .equal : .other
    }
    return options.adoption.trusts(status, as: entry, isKnown: isKnown) ? .equal : .perhapsEqual
  }

  private func hash(
    _ path: RelativePath, in folder: MirrorFolder, by proof: ContentDigest
  ) async throws -> HashedFile {
    try await target.fileQueue.runStoppably { stop in
      try folder.hash(path, by: [proof.algorithm], until: stop)
    }
  }

  /// The files that stand where directories above the places of these have to be, in the order of
  /// their keys.
  func filesAbove(_ planned: [PlannedFetch], in folder: MirrorFolder) async throws -> [CatalogKey] {
    var directories: Set<RelativePath> = []
    for one in planned where one.wantsContent && !one.isHeld {
      var next = one.entry?.path.directory
      while let directory = next, directories.insert(directory).inserted {
        next = directory.directory
      }
    }
    let wanted = directories.sorted { $0.key < $1.key }
    let looks = try await target.fileQueue.run { folder.look(at: wanted) }
    return zip(wanted, looks).compactMap { path, look in
      guard case .success(let status?) = look, status.kind == .file else { return nil }
      return path.key
    }
  }

  /// The file at an item's place, if it can be told to be the item's, so that nothing has to be
  /// fetched. Its digest is `nil` when its bytes weren't read.
  ///
  /// - Parameter isKnown: Whether the index knows the item.
  func adoptable(
    _ entry: PlaceableEntry, isKnown: Bool
  ) async throws -> (stamp: FileStamp, sha256: SHA256Digest?)? {
    let (folder, path) = (session.folder, entry.path)
    guard let status = try await session.fileQueue.run({ try folder.look(at: path) }),
      status.kind == .file, entry.size == nil || entry.size == status.size
    else { return nil }
    if let proof = entry.proof {
      let hashed = try await hash(path, in: folder, by: proof)
      return hashed.digests.prove(proof) ? (hashed.stamp, hashed.sha256) : nil
    }
    return options.adoption.trusts(status, as: entry, isKnown: isKnown)
      ? (status.stamp, nil) : nil
  }
}

extension MirrorOptions.Adoption {
  /// Whether a file is an item's by its size and date, where no digest tells it.
  ///
  /// - Parameter isKnown: Whether the index knows the item. What it knows was lost or found wrong:
  ///   no date says that it is right again.
  fileprivate func trusts(
    _ status: FileStatus, as entry: PlaceableEntry, isKnown: Bool
  ) -> Bool {
    guard self == .sizeAndDate, !isKnown, entry.size == status.size, let modified = entry.modified
    else { return false }
    return Int64(exactly: (modified * 1_000_000_000).rounded(.down)) == status.modifiedNanoseconds
  }
}

/// Items that can't be placed: they would lie in the folder of another mirror, which stands in this
/// one, or where an item has to be that stays. They aren't even fetched.
extension RunContext {
  private struct Wanted: Sendable {
    var id: MirrorItem.ID
    var path: RelativePath
    /// Whether its place is its own already.
    var isHeld: Bool
  }

  func misplaced(
    amid items: [MirrorItem], of pass: MirrorPass
  ) async throws -> [MirrorItem.ID: Misplacement] {
    guard !pass.folder.wasEmpty else { return [:] }
    let wanted = items.compactMap { item -> Wanted? in
      guard pass.need(of: item).content != nil, let entry = item.entry else { return nil }
      return Wanted(
        id: item.id, path: entry.path, isHeld: pass.held(item.id)?.content != nil)
    }
    guard !wanted.isEmpty else { return [:] }
    let leaving = (pass.vanished ?? []).union(pass.view.findings?.damaged ?? [])
    return try await inTheWay(of: wanted, besides: leaving).merging(amongOthers(wanted)) { $1 }
  }

  private func amongOthers(_ wanted: [Wanted]) async throws -> [MirrorItem.ID: Misplacement] {
    guard let folder = target.place else { return [:] }
    let found = try await target.fileQueue.run {
      folder.pathsOfOtherMirrors(among: wanted.map(\.path))
    }
    return Dictionary(found.map { (wanted[$0.key].id, .folder($0.value)) }) { $1 }
  }

  private func inTheWay(
    of wanted: [Wanted], besides leaving: Set<CatalogKey>
  ) async throws -> [MirrorItem.ID: Misplacement] {
    guard let index = target.index else { return [:] }
    return try await index.read { index in
      var staying = StayingItems(besides: leaving)
      var found: [MirrorItem.ID: Misplacement] = [:]
      for item in wanted where !item.isHeld {
        found[item.id] = try staying.inTheWay(of: item.path.key, index).map { .inTheWay($0) }
      }
      return found
    }
  }

  /// Makes sure that what is to be fetched fits on the disk.
  ///
  /// - Returns: all bytes of the disk, where they matter.
  /// - Throws: ``MirrorError/noRoom(needed:free:folder:)``.
  func checkRoom(for items: [MirrorItem], of pass: MirrorPass) async throws -> Int64? {
    let folder = session.folder
    let free = try await session.fileQueue.run { try folder.freeSpace() }
    guard pass.spaceNeed(of: items, on: SpaceNeed()).bytes > free else { return nil }
    // Looked at only now, since it takes a look at every file: what lies there already may be
    // adopted, and what an earlier run left in the staging area is gone on with or swept.
    let (capacity, staged) = try await session.fileQueue.run { [staging = session.staging] in
      (try folder.capacity(), try staging.bytes())
    }
    let others = try await ofTheirSize(among: items, of: pass.view)
    let needed = pass.spaceNeed(
      of: items, besides: others, on: SpaceNeed(capacity: capacity)
    ).bytes
    guard needed > free.addingSaturated(staged) else { return capacity }
    throw MirrorError.noRoom(needed: needed, free: free, folder: folder.path)
  }

  /// Items that aren't held, at whose places a file of their size lies.
  private func ofTheirSize(
    among items: [MirrorItem], of view: LocalView
  ) async throws -> Set<CatalogKey> {
    let places = items.compactMap { item -> (CatalogKey, Int64, RelativePath)? in
      guard let entry = item.entry, let size = entry.size, view.held(item.id)?.content == nil
      else { return nil }
      return (entry.key, size, entry.path)
    }
    let folder = session.folder
    let looks = try await session.fileQueue.run { folder.look(at: places.map(\.2)) }
    let found = zip(places, looks).filter { place, look in
      guard case .success(let status?) = look else { return false }
      return status.kind == .file && status.size == place.1
    }
    return Set(found.map(\.0.0))
  }
}
