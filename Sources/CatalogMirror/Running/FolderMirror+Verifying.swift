import SyncFiles
import SyncFolder
import SyncText

/// What reading every byte of a mirror found.
public struct MirrorVerification: Sendable {
  /// Whether the folder is a mirror.
  public var isMirror = false
  /// Files that were read, or looked for.
  public var files = 0
  /// Bytes that were read.
  public var bytes: Int64 = 0
  /// Files of which no digest is recorded, so that only their sizes and dates were compared, and
  /// agree: they were adopted by these (``MirrorOptions/Adoption/sizeAndDate``), or by an earlier
  /// version. A bit that flips in one isn't found.
  public var undigested: Int { digests.count }
  /// Files that aren't as they should be.
  public var problems: [MirrorReport.Failure] = []
  /// The digests that those were found to have.
  var digests: [FoundDigest] = []
  /// What a repair fetches again.
  var repairs = Repairs()
  var catalog: String?
  var index = ""
}

/// The digest of a file of which none is recorded.
struct FoundDigest: Sendable {
  var key: CatalogKey
  /// The state in which the file was read, whose size and date are the recorded ones.
  var stamp: FileStamp
  var sha256: SHA256Digest
}

extension FolderMirror {
  /// Reads every byte of the folder's files and compares it with the digests in the index; of a
  /// file without one, size and date. Changes nothing; cancelling the task ends it between two
  /// files.
  ///
  /// - Throws: ``MirrorError``, when the folder can't be looked at or is in use.
  public func verify() async throws -> MirrorVerification {
    do {
      return try await FolderInspection.look(at: options, in: environment, observer: observer) {
        try await verify($0)
      }
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  private func verify(_ inspection: FolderInspection) async throws -> MirrorVerification {
    var verification = MirrorVerification()
    guard let index = try inspection.requireIndex(), let folder = inspection.folder else {
      return verification
    }
    verification.isMirror = true
    verification.index = folder.indexPath
    let wantsContents = try await index.read { try $0.value(.wantsContents) } != "no"
    verification.catalog = try await index.read { try $0.value(.catalog) }
    let scope = ScopeBoundary(options.scope, at: environment.now())
    let total = try await index.read { reader in
      var total = MirrorProgress()
      try reader.forEachItem { item in
        guard scope.reason(toLeaveOut: item.entry) == nil else { return }
        total.itemsTotal += item.fileCount(wantsContents: wantsContents)
        total.bytesTotal = total.bytesTotal.addingSaturated(item.heldBytes)
      }
      return total
    }
    observer.beginVerifying(total)
    var expected: Int64 = 0
    var piece = try await index.read { try $0.items(after: nil, atMost: Self.verifiedAtATime) }
    while let last = piece.last?.key {
      for item in piece where scope.reason(toLeaveOut: item.entry) == nil {
        try Task.checkCancellation()
        let result = try await inspection.fileQueue.runStoppably { [observer] stop in
          try Self.check(item, in: folder, wantsContents: wantsContents, until: stop) { count in
            observer.update { $0.bytesDone += Int64(count) }
          }
        }
        expected = expected.addingSaturated(item.heldBytes)
        observer.verified(result, bytesUntilNow: expected)
        verification.add(result)
      }
      piece = try await index.read { try $0.items(after: last, atMost: Self.verifiedAtATime) }
    }
    return verification
  }

  /// Of a million items, so many are in memory.
  private static let verifiedAtATime = 1_024

  private static func check(
    _ item: IndexedItem, in folder: MirrorFolder, wantsContents: Bool, until stop: StopFlag,
    telling: (Int) -> Void
  ) throws -> MirrorVerification {
    var found = MirrorVerification()
    if let content = item.content {
      let path = try folder.path(ofRecorded: item.key)
      let isSound = try found.compare(item.key, with: content.stamp, sha256: content.sha256) {
        try folder.look(at: path) == nil ? nil : folder.hash(path, until: stop, telling: telling)
      }
      if !isSound { found.repairs.contents.insert(item.key) }
    } else if wantsContents {
      found.files += 1
      found.add(
        item.key, "it isn't held, or was edited; a sync or a repair fetches it", .repairFiles)
      found.repairs.contents.insert(item.key)
    }
    if let preview = item.preview {
      let isSound = try found.compare(
        item.key, "its preview", with: preview.stamp, sha256: preview.sha256
      ) {
        let name = preview.name
        return try folder.lookAtPreview(named: name) == nil
          ? nil : folder.hashPreview(named: name, until: stop, telling: telling)
      }
      if !isSound { found.repairs.previews.insert(item.key) }
    }
    return found
  }
}

extension MirrorVerification {
  fileprivate mutating func add(_ more: MirrorVerification) {
    files += more.files
    bytes += more.bytes
    problems += more.problems
    digests += more.digests
    repairs.contents.formUnion(more.repairs.contents)
    repairs.previews.formUnion(more.repairs.previews)
  }

  /// Reads a file, `nil` when it is gone, and compares it with what was recorded of it; says
  /// whether it is that. Its inode may be another one, as in a copy of the mirror, and where there
  /// is a digest, so may its date.
  fileprivate mutating func compare(
    _ key: CatalogKey, _ subject: String = "it", with recorded: FileStamp, sha256: SHA256Digest?,
    _ read: () throws -> HashedFile?
  ) throws -> Bool {
    files += 1
    do {
      guard let hashed = try read() else {
        add(key, "\(subject) is gone; a repair fetches it again", .repairFiles)
        return false
      }
      bytes += hashed.stamp.size
      guard let sha256 else {
        guard hashed.stamp.hasSizeAndDate(of: recorded) else {
          add(
            key,
            """
            its size or date is another one than when it was adopted, and no digest of it is \
            known; a repair fetches it again
            """, .repairFiles)
          return false
        }
        digests.append(FoundDigest(key: key, stamp: hashed.stamp, sha256: hashed.sha256))
        return true
      }
      if hashed.stamp.size == recorded.size, sha256 == hashed.sha256 { return true }
      let whose = subject == "it" ? "its" : "\(subject)'s"
      add(
        key, "\(whose) bytes aren't those that were recorded; a repair fetches them again",
        .repairFiles)
    } catch let error as FolderError where !error.isFatal || error.code == .noRights {
      add(key, CatalogMirror.sentence(of: error, about: key.description))
    }
    return false
  }

  fileprivate mutating func add(
    _ key: CatalogKey, _ sentence: String, _ advice: MirrorAdvice? = nil
  ) {
    problems.append(.init(key: key.description, sentence: sentence, advice: advice))
  }
}

/// How far `verify` is.
extension MirrorObserver {
  /// So many files and bytes are about to be read.
  func beginVerifying(_ total: MirrorProgress) {
    enter(.verify)
    update { progress in
      progress.itemsTotal += total.itemsTotal
      progress.bytesTotal = progress.bytesTotal.addingSaturated(total.bytesTotal)
    }
  }

  /// An item was read, and found so.
  /// - Parameter bytes: Of it and of all before it, as they should be; a file that is gone or has
  ///   another size is done with, too.
  func verified(_ found: MirrorVerification, bytesUntilNow bytes: Int64) {
    update { progress in
      progress.itemsDone += found.files
      progress.bytesDone = bytes
      progress.failed += found.problems.count
    }
  }

  /// What was verified is repaired now, which is work of its own.
  func beginRepairing() {
    update { $0 = MirrorProgress() }
  }
}

extension IndexedItem {
  /// The bytes of its files, as the index has them.
  var heldBytes: Int64 { (content?.size ?? 0).addingSaturated(preview?.size ?? 0) }

  fileprivate func fileCount(wantsContents: Bool) -> Int {
    (content != nil || wantsContents ? 1 : 0) + (preview != nil ? 1 : 0)
  }
}
