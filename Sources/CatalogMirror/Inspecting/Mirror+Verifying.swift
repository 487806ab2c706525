/// What reading every byte of a mirror found.
public struct MirrorVerification: Sendable {
  /// Whether the folder is a mirror.
  public var isMirror = false
  /// Files that were read, or looked for.
  public var files = 0
  /// Bytes that were read.
  public var bytes: Int64 = 0
  /// Files that aren't as they should be.
  public var problems: [Problem] = []

  /// One file that isn't as it should be.
  public struct Problem: Sendable, Equatable {
    /// The item's key, escaped.
    public var key: String
    /// What is wrong, in a sentence.
    public var sentence: String
  }
}

extension Mirror {
  /// Reads every byte of the folder's files and compares it with the digests in the index.
  /// Changes nothing; cancelling the task ends it between two files.
  ///
  /// - Throws: ``MirrorError``, when the folder can't be looked at or is in use.
  public func verify() async throws -> MirrorVerification {
    do {
      let inspection = try await FolderInspection.open(
        options.folder, waiting: options.waitsForLock)
      let verification = try await verify(inspection)
      await inspection.close()
      return verification
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  private func verify(_ inspection: FolderInspection) async throws -> MirrorVerification {
    var verification = MirrorVerification()
    guard let folder = inspection.folder, inspection.index != nil else { return verification }
    verification.isMirror = true
    for item in try await inspection.items() {
      try Task.checkCancellation()
      let result = try await inspection.fileQueue.run { Self.check(item, in: folder) }
      verification.files += result.files
      verification.bytes += result.bytes
      verification.problems += result.problems
    }
    return verification
  }

  private static func check(_ item: IndexedItem, in folder: MirrorFolder) -> MirrorVerification {
    var found = MirrorVerification()
    if let content = item.content {
      found.files += 1
      do {
        let hashed = try folder.hash(try RelativePath(item.key))
        found.bytes += hashed.stamp.size
        if hashed.stamp.size != content.size || content.sha256.map({ $0 != hashed.sha256 }) ?? false
        {
          found.add(item.key, "its bytes aren't those that were fetched; sync to repair it")
        }
      } catch {
        found.add(item.key, sentence(of: error))
      }
    }
    if let preview = item.preview {
      found.files += 1
      let status = try? folder.lookAtPreview(named: preview.name)
      if status?.kind != .file || status?.size != preview.size {
        found.add(item.key, "its preview is gone or was changed; sync to repair it")
      }
    }
    return found
  }
}

extension MirrorVerification {
  fileprivate mutating func add(_ key: CatalogKey, _ sentence: String) {
    problems.append(Problem(key: key.description, sentence: sentence))
  }
}
