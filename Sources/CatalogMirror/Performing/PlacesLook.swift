import SyncFiles
import SyncFolder
import SyncText

/// The look at the places where the items of a plan go: what stands there, and what a sync would
/// make of it. Files whose bytes can be told by a digest are read, as a sync would.
struct PlacesLook: Sendable {
  let folder: MirrorFolder
  let queue: any DiskQueue
  let rule: MirrorOptions.Adoption
  /// The keys that the index holds: what stands there is ours.
  let isOurs: @Sendable (CatalogKey) -> Bool

  /// What stands in the places of these; nothing is told of places where nothing stands.
  func look(_ planned: [PlannedFetch]) async throws -> [CatalogKey: PlaceFinding] {
    let wanted = planned.compactMap { one -> (PlannedFetch, PlaceableEntry)? in
      guard one.wantsContent, !one.isHeld else { return nil }
      return one.entry.map { (one, $0) }
    }
    let looks = try await queue.run { [folder] in folder.look(at: wanted.map(\.1.path)) }
    var findings: [CatalogKey: PlaceFinding] = [:]
    for ((one, entry), look) in zip(wanted, looks) {
      guard case .success(let status?) = look else { continue }
      findings[entry.key] = try await finding(one, entry, status)
    }
    return findings
  }

  /// The files that stand where directories above the places of these have to be, in the order of
  /// their keys.
  func filesAbove(_ planned: [PlannedFetch]) async throws -> [CatalogKey] {
    var directories: Set<RelativePath> = []
    for one in planned where one.wantsContent && !one.isHeld {
      var next = one.entry?.path.directory
      while let directory = next, directories.insert(directory).inserted {
        next = directory.directory
      }
    }
    let wanted = directories.sorted { $0.key < $1.key }
    let looks = try await queue.run { [folder] in folder.look(at: wanted) }
    return zip(wanted, looks).compactMap { path, look in
      guard case .success(let status?) = look, status.kind == .file else { return nil }
      return path.key
    }
  }

  private func finding(
    _ one: PlannedFetch, _ entry: PlaceableEntry, _ status: FileStatus
  ) async throws -> PlaceFinding? {
    let path = entry.path
    switch status.kind {
    case .symbolicLink, .special: return nil
    case .directory:
      let foreign = try await queue.run { [folder, isOurs] in
        try folder.foreignFiles(below: path) { isOurs($0) }
      }
      return .directory(foreign: foreign)
    case .file: break
    }
    if let size = entry.size, size != status.size { return .other }
    if let proof = entry.proof {
      let hashed = try await queue.runStoppably { [folder] stop in
        try folder.hash(path, by: [proof.algorithm], until: stop)
      }
      return hashed.digests.prove(proof) ? .equal : .other
    }
    return rule.trusts(status, as: entry, isKnown: one.isKnown) ? .equal : .perhapsEqual
  }
}
