/// The look at the files that are ours before a pass (M17): what is there as we left it, what was
/// only touched, and what is gone or edited.
struct LocalLook: Sendable {
  /// What the look found.
  struct Findings: Sendable {
    /// What the index has to be told.
    var changes: [IndexChange] = []
    /// Items whose content is gone or isn't what it was.
    var damaged: Set<CatalogKey> = []
    /// Items whose preview is gone or isn't what it was.
    var damagedPreviews: Set<CatalogKey> = []
    /// Files whose dates had changed and whose bytes hadn't.
    var touched = 0
  }

  let folder: MirrorFolder
  /// How many files are looked at before the stop flag is.
  private static let piece = 4_096

  /// Looks at everything that `items` say is held. Blocks; belongs on a queue.
  /// - Throws: what kept it from looking; a file that can't be looked at isn't one that is gone.
  func look(at items: [IndexedItem], until stop: StopFlag) throws -> Findings {
    var findings = Findings()
    let held = items.compactMap { item -> (IndexedItem, HeldContent, RelativePath)? in
      guard let content = item.content, let path = try? RelativePath(item.key) else { return nil }
      return (item, content, path)
    }
    var looks: [Result<FileStatus?, FolderError>] = []
    for start in stride(from: 0, to: held.count, by: Self.piece) {
      try stop.check()
      looks += folder.look(at: held[start..<min(start + Self.piece, held.count)].map(\.2))
    }
    for ((item, content, path), look) in zip(held, looks) {
      try stop.check()
      let status = try look.get()
      if let status, content.stamp.matches(status), status.kind == .file { continue }
      try examine(item, content, path, status, &findings, until: stop)
    }
    for item in items {
      try stop.check()
      guard let preview = item.preview, try !folder.holds(preview, until: stop) else { continue }
      findings.damagedPreviews.insert(item.key)
      findings.changes.append(.previewLost(item.key))
    }
    return findings
  }

  private func examine(
    _ item: IndexedItem, _ content: HeldContent, _ path: RelativePath, _ status: FileStatus?,
    _ findings: inout Findings, until stop: StopFlag
  ) throws {
    // Equal bytes under another date: touched, or copied back. Nothing is fetched.
    if status?.kind == .file, status?.size == content.size, let digest = content.sha256,
      let hashed = try hash(path, until: stop), hashed.sha256 == digest
    {
      findings.touched += 1
      findings.changes.append(.content(item.entry, content.with(hashed.stamp)))
      return
    }
    findings.damaged.insert(item.key)
    findings.changes.append(.contentLost(item.key))
  }

  /// `nil` for a file that can't be read, or that somebody is writing to.
  private func hash(_ path: RelativePath, until stop: StopFlag) throws -> HashedFile? {
    do {
      return try folder.hash(path, until: stop)
    } catch is FolderError {
      return nil
    }
  }
}

extension MirrorFolder {
  /// Whether a preview's file is as we left it; one with another date is hashed.
  func holds(_ preview: HeldPreview, until stop: StopFlag) throws -> Bool {
    guard let status = try lookAtPreview(named: preview.name), status.kind == .file,
      status.size == preview.size
    else { return false }
    if status.modifiedNanoseconds == preview.modifiedNanoseconds { return true }
    do {
      return try hashPreview(named: preview.name, until: stop).sha256 == preview.sha256
    } catch is FolderError {
      return false  // it can't be read, or somebody is writing to it
    }
  }
}

extension HeldContent {
  /// What tells the state that we left the file in.
  var stamp: FileStamp {
    FileStamp(size: size, modifiedNanoseconds: modifiedNanoseconds, inode: inode)
  }

  /// The same bytes in a file of another state.
  func with(_ stamp: FileStamp) -> HeldContent {
    var content = self
    content.size = stamp.size
    content.modifiedNanoseconds = stamp.modifiedNanoseconds
    content.inode = stamp.inode ?? content.inode
    return content
  }
}
