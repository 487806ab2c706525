import SyncFiles
import SyncFolder

/// The look at the files that are ours, in each run before anything is decided: what is there
/// as we left it, what was only touched, and what is gone or edited.
struct LocalLook: Sendable {
  let folder: MirrorFolder
  let index: MirrorIndex
  let queue: any DiskQueue
  let wants: ItemNeed.Wants
  /// How many items are looked at at a time: of a million, two such pieces are in memory, the one
  /// that is looked at and the next.
  private static let piece = 4_096

  /// Looks at everything that the index says is held.
  /// - Throws: what kept it from looking; a file that can't be looked at isn't one that is gone.
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
      findings.add(
        try await queue.runStoppably { [items] stop in
          try Self.look(at: items, in: folder, until: stop)
        })
      findings.orphanedPreviews.subtract(items.compactMap(\.preview?.name))
      findings.lacking.formUnion(items.filter(isLacking).map(\.key))
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
    let held = items.compactMap { item -> (ExpectedFiles, FileStamp, RelativePath)? in
      guard let content = item.content, let path = try? RelativePath(item.key) else { return nil }
      return (item, content, path)
    }
    try stop.check()
    let looks = folder.look(at: held.map(\.2))
    for ((item, content, path), look) in zip(held, looks) {
      try stop.check()
      let status = try look.get()
      if let status, content.matches(status) { continue }
      // Equal bytes under another date: touched, or copied back. Nothing is fetched.
      if let status, status.kind == .file, status.size == content.size, let digest = item.sha256,
        let hashed = try hash(path, in: folder, until: stop), hashed.sha256 == digest
      {
        findings.touched[item.key] = hashed.stamp
      } else {
        findings.damaged.insert(item.key)
      }
    }
    for item in items {
      try stop.check()
      guard let preview = item.preview, try !folder.holds(preview, until: stop) else { continue }
      findings.damagedPreviews[item.key] = preview.name
    }
    return findings
  }

  /// `nil` for a file that can't be read, or that somebody is writing to.
  private static func hash(
    _ path: RelativePath, in folder: MirrorFolder, until stop: StopFlag
  ) throws -> HashedFile? {
    do {
      return try folder.hash(path, until: stop)
    } catch is FolderError {
      return nil
    }
  }
}

extension MirrorFolder {
  /// Whether a preview's file is as we left it; one with another date is hashed.
  func holds(_ preview: ExpectedFiles.Preview, until stop: StopFlag) throws -> Bool {
    guard let status = try lookAtPreview(named: preview.name), status.kind == .file,
      status.size == preview.stamp.size
    else { return false }
    if preview.stamp.matches(status) { return true }
    do {
      return try hashPreview(named: preview.name, until: stop).sha256 == preview.sha256
    } catch is FolderError {
      return false  // it can't be read, or somebody is writing to it
    }
  }
}
