import SyncFiles
import SyncFolder

/// The look at the files that are ours, in each run before anything is decided: what is there
/// as we left it, what was only touched, and what is gone or edited.
struct LocalLook: Sendable {
  let folder: MirrorFolder
  let index: MirrorIndex
  let queue: any DiskQueue
  let wants: ItemNeed.Wants
  /// Files outside of it aren't looked at.
  var scope = ScopeBoundary.none
  /// How many items are looked at at a time: of a million, two such pieces are in memory, the one
  /// that is looked at and the next.
  private static let piece = 4_096

  /// Looks at everything that the index says is held.
  ///
  /// A file that can't be looked at isn't one that is gone, and keeps nothing else from being done.
  /// - Throws: what kept it from looking at all.
  func look() async throws -> LookFindings {
    var findings = LookFindings()
    let (folder, index) = (folder, index)
    findings.orphanedPreviews = try await queue.run {
      Set(try folder.previewNames().filter(PreviewName.isOne))
    }
    var items = try await index.read { try $0.expectedFiles(after: nil, atMost: Self.piece) }
    while let last = items.last {
      // The index reads on while the files are looked at.
      async let next = index.read { try $0.expectedFiles(after: last.key, atMost: Self.piece) }
      let inside =
        scope.isEverywhere ? items : items.filter { scope.reason(toLeaveOut: $0.key) == nil }
      findings.add(
        try await queue.runStoppably { stop in
          try Self.look(at: inside, in: folder, until: stop)
        })
      findings.orphanedPreviews.subtract(items.compactMap(\.preview?.name))
      findings.lacking.formUnion(inside.filter(isLacking).map(\.key))
      items = try await next
    }
    return findings
  }

  private func isLacking(_ item: ExpectedFiles) -> Bool {
    wants.contents && item.lacksContent || wants.previews && item.lacksPreview
  }

  private static func look(
    at items: [ExpectedFiles], in folder: MirrorFolder, until stop: StopFlag
  ) throws -> LookFindings {
    var findings = LookFindings()
    let held = try items.compactMap { item -> (ExpectedFiles, FileStamp, RelativePath)? in
      guard let content = item.content else { return nil }
      return (item, content, try folder.path(ofRecorded: item.key))
    }
    try stop.check()
    let looks = folder.look(at: held.map(\.2))
    for ((item, content, path), look) in zip(held, looks) {
      try stop.check()
      if case .failure(let error) = look, !error.isFatal {
        findings.unseen[item.key] = error
        continue
      }
      let condition = FileCondition(leftAs: content, sha256: item.sha256, now: try look.get())
      switch condition {
      case .asLeft: continue
      case .copied(let stamp): findings.touched[item.key] = stamp
      case .damaged: findings.damaged.insert(item.key)
      case .gone:
        findings.damaged.insert(item.key)
        findings.gone.insert(item.key)
      case .toBeHashed(let digest):
        let hashed = try hashed { try folder.hash(path, until: stop) }
        if let hashed, hashed.sha256 == digest {
          findings.touched[item.key] = hashed.stamp
        } else {
          findings.damaged.insert(item.key)
        }
      }
    }
    for item in items {
      try stop.check()
      guard let preview = item.preview, try !isHeld(preview, in: folder, until: stop) else {
        continue
      }
      findings.damagedPreviews[item.key] = preview.name
    }
    return findings
  }

  /// Whether a preview's file holds what it did.
  private static func isHeld(
    _ preview: ExpectedFiles.Preview, in folder: MirrorFolder, until stop: StopFlag
  ) throws -> Bool {
    let status = try folder.lookAtPreview(named: preview.name)
    switch FileCondition(leftAs: preview.stamp, sha256: preview.sha256, now: status) {
    case .asLeft, .copied: return true
    case .damaged, .gone: return false
    case .toBeHashed(let digest):
      return try hashed { try folder.hashPreview(named: preview.name, until: stop) }?.sha256
        == digest
    }
  }

  /// `nil` for a file that can't be read, or that somebody is writing to.
  private static func hashed(_ body: () throws -> HashedFile) throws -> HashedFile? {
    do {
      return try body()
    } catch is FolderError {
      return nil
    }
  }
}
