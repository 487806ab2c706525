package import SyncFiles
package import SyncText

/// Where a file lies of whose bytes another one can be made.
package enum CopyOrigin: Hashable, Sendable {
  /// In the tree, where its key says.
  case item(ByteString)
  /// Among the previews.
  case preview(name: String)
  /// In quarantine: of the run that moved it there, under its key.
  case quarantined(batch: String, ByteString)
  case staged(name: String)

  /// `nil` for what can't be the path of a file of ours.
  fileprivate var path: BeneathPath? {
    switch self {
    case .item(let key): (try? RelativePath(key)).map { BeneathPath($0) }
    case .preview(let name): try? BeneathPath.previews.appending(plain: name)
    case .quarantined(let batch, let key):
      (try? RelativePath(key)).flatMap { key in
        try? AwayArea.quarantine.path.appending(plain: batch).appending(BeneathPath(key))
      }
    case .staged(let name): try? BeneathPath.staging.appending(plain: name)
    }
  }
}

extension Staging {
  /// Makes a file of the bytes of another one, and reads it: its digests are those of what was
  /// made. Where the disk can, both are stored once until either is written to.
  ///
  /// - Parameters:
  ///   - size: How long the other file has to be.
  ///   - algorithms: What the new one is hashed by, beside SHA-256.
  ///   - modified: Its date in seconds since 1970. Default: that of the other file.
  ///   - stop: Ends it between two pieces.
  ///   - telling: Hears of the bytes of each piece.
  /// - Returns: `nil` where the bytes can't be had: no file is there, or one of another size, or
  ///   nobody can read it.
  /// - Throws: ``FolderError`` where the new file can't be made; `CancellationError` once it is to
  ///   stop.
  package func copy(
    _ origin: CopyOrigin, size: Int64, hashedBy algorithms: Set<ContentDigest.Algorithm> = [],
    modified: Double? = nil, until stop: StopFlag = StopFlag(), telling: (Int) -> Void = { _ in }
  ) throws -> Staged? {
    guard let (source, status) = open(origin), status.size == size else { return nil }
    let copy = try create(hashedBy: algorithms)
    do {
      if try copy.clone(source) {
        try copy.takeIn(until: stop, telling: telling)
      } else {
        try source.readPieces { piece in
          try stop.check()
          try copy.write(piece)
          // Somebody appends to it, and may do so for ever.
          guard copy.count <= size else { throw Errno.fileTooLarge }
          telling(piece.count)
        }
      }
    } catch is Errno {
      return nil  // of reading: what writing fails with is told as an error of the new file
    }
    guard copy.count == size else { return nil }
    if let modified { return try copy.finish(modified: modified) }
    return try copy.finish(modifiedNanoseconds: status.modifiedNanoseconds)
  }

  private func open(_ origin: CopyOrigin) -> (Descriptor, FileStatus)? {
    guard let path = origin.path, let file = try? folder.open(path, [.reading, .withoutWaiting]),
      let status = try? file.status(), status.kind == .file
    else { return nil }
    return (file, status)
  }

  /// Whether the disk stores the bytes of two files once, so that a copy takes no room. Tried out
  /// with two small files.
  package func sharesBytes() -> Bool {
    guard let one = try? create(), let other = try? create() else { return false }
    let block = [UInt8](repeating: 1, count: 4_096)
    do {
      try block.withUnsafeBytes { try one.write($0) }
      guard let file = one.file else { return false }
      return try other.clone(file)
    } catch {
      return false
    }
  }
}
