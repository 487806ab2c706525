import SyncFiles
import SyncFolder
import SyncText

/// The look at the places where the items of a plan go: what stands there, and what a sync would
/// make of it. Files whose bytes can be told by a digest are read, as a sync would.
extension RunContext {
  /// The keys of those at whose places something stands, or that nobody can look at.
  /// - Throws: `CancellationError`.
  func occupied(of entries: [PlaceableEntry]) async throws -> Set<CatalogKey> {
    guard let folder = target.place, !entries.isEmpty else { return [] }
    return try await target.fileQueue.runStoppably { stop in
      var occupied: Set<CatalogKey> = []
      for start in stride(from: 0, to: entries.count, by: 1_024) {
        try stop.check()
        let some = entries[start..<min(start + 1_024, entries.count)]
        for (entry, look) in zip(some, folder.look(at: some.map(\.path))) {
          if case .success(nil) = look { continue }
          occupied.insert(entry.key)
        }
      }
      return occupied
    }
  }

  /// What stands in the places of these; nothing is told of places where nothing stands.
  ///
  /// - Parameter isOurs: Whether the index holds a key: what stands there is ours.
  func places(
    of planned: [PlannedFetch], in folder: MirrorFolder,
    isOurs: @escaping @Sendable (CatalogKey) -> Bool
  ) async throws -> [CatalogKey: PlaceFinding] {
    let wanted = planned.compactMap { one -> (PlannedFetch, PlaceableEntry)? in
      guard one.wantsContent, !one.isHeld || one.mayBeInPlace != nil else { return nil }
      return one.entry.map { (one, $0) }
    }
    let looks = try await target.fileQueue.run { folder.look(at: wanted.map(\.1.path)) }
    var found = zip(wanted, looks).compactMap { wanted, look -> (PlannedFetch, FileStatus)? in
      guard case .success(let status?) = look else { return nil }
      return (wanted.0, status)
    }[...]
    // The server may have to be asked about each.
    return try await withThrowingTaskGroup(of: (CatalogKey, PlaceFinding)?.self) { group in
      var findings: [CatalogKey: PlaceFinding] = [:]
      for _ in 0..<CatalogSource.width {
        found.popFirst().map { one in
          group.addTask { try await self.finding(one.0, one.1, in: folder, isOurs) }
        }
      }
      while let finding = try await group.next() {
        if let (key, finding) = finding { findings[key] = finding }
        found.popFirst().map { one in
          group.addTask { try await self.finding(one.0, one.1, in: folder, isOurs) }
        }
      }
      return findings
    }
  }

  private func finding(
    _ planned: PlannedFetch, _ status: FileStatus, in folder: MirrorFolder,
    _ isOurs: @escaping @Sendable (CatalogKey) -> Bool
  ) async throws -> (CatalogKey, PlaceFinding)? {
    guard let entry = planned.entry else { return nil }
    switch status.kind {
    case .directory:
      let foreign = try await target.fileQueue.run {
        try folder.foreignFiles(below: entry.path) { isOurs($0) }
      }
      return (entry.key, .directory(foreign: foreign))
    case .file:
      if let held = planned.mayBeInPlace {
        return try await isInPlace(entry, held, in: folder) ? (entry.key, .held) : nil
      }
      if try await adoptable(entry, status, isKnown: planned.isKnown, in: folder) != nil {
        return (entry.key, .equal)
      }
      let isOther = entry.proof != nil || entry.size ?? status.size != status.size
      return (entry.key, isOther ? .other : .perhapsEqual)
    default: return nil
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
    let others = try await ofTheirSize(among: items, of: pass.view).union(
      sharing(pass.copied(among: items))
    ).union(items.filter { pass.mayBeInPlace($0) != nil }.compactMap(\.entry?.key))
    let needed = pass.spaceNeed(
      of: items, besides: others, on: SpaceNeed(capacity: capacity)
    ).bytes
    guard needed > free.addingSaturated(staged) else { return capacity }
    throw MirrorError.noRoom(needed: needed, free: free, folder: folder.path)
  }

  /// Those of these copies that take no room, as the disk stores equal bytes once: all or none.
  private func sharing(_ copies: Set<CatalogKey>) async throws -> Set<CatalogKey> {
    guard !copies.isEmpty else { return [] }
    let sharesBytes = try await session.fileQueue.run { [staging = session.staging] in
      staging.sharesBytes()
    }
    return sharesBytes ? copies : []
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
