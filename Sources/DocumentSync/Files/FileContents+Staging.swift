import SyncFiles
import SyncLock
import SyncText

private import SyncEssentials

/// Contents that are written here under a name of their own, until all of them is known.
extension FileContents {
  /// What came to be kept.
  struct Kept: Sendable, Equatable {
    let digest: String
    let size: Int64
  }

  /// What writing a copy threw, which is no trouble with the file that is copied.
  private struct Written: Error {
    let error: Errno
  }

  private static let mark = "new-"
  /// After so many nanoseconds, nobody is writing it any more: a day.
  private static let oldest: Int64 = 86_400_000_000_000

  /// Copies a file of the user's own a piece at a time. What isn't a file may never end, and is
  /// read so far.
  func copied(_ path: String, into folder: String) async throws -> Kept {
    // Not where all others wait.
    try await DispatchDiskQueue().runStoppably { [self] stop in
      let source: Descriptor
      let isFile: Bool
      do throws(Errno) {
        source = try Descriptor.open(userPath: path, [.reading], in: SystemFileSystem())
        isFile = try source.status().kind == .file
      } catch {
        throw DocumentError.unusableFile(path: path, error.advised)
      }
      return try staged(in: folder) { copy in
        var count: Int64 = 0
        do {
          try source.readPieces { piece in
            try stop.check()
            count += Int64(piece.count)
            guard isFile || count <= Self.mostOfPipe else {
              throw DocumentError.unusableFile(
                path: path, "it isn't a file, and gives more than 128 MB; name a file")
            }
            do { try copy.write(piece) } catch let error as Errno { throw Written(error: error) }
          }
        } catch let error as Errno {
          throw DocumentError.unusableFile(path: path, error.advised)
        } catch let error as Written {
          throw error.error
        }
      }
    }
  }

  /// Writes a content and puts it in its place, flushed before: it appears whole or not at all.
  ///
  /// - Parameter write: writes it, on the thread that this is called on.
  func staged(
    in path: String, _ write: (inout StagedContent) throws -> Void
  ) throws -> Kept {
    do {
      guard let folder = try Self.folder(path, isMade: true) else { throw Errno.absent }
      // Once is enough: it takes a look at all names.
      let isFirst = hasSwept.withLock { swept in
        defer { swept = true }
        return !swept
      }
      if isFirst { try Self.sweep(folder) }
      let name = Array((Self.mark + UUID().uuidString).utf8)
      var content = StagedContent(
        try folder.open(name: name, .writingAnew, mode: 0o644))
      do {
        try write(&content)
        return try content.put(named: name, in: folder)
      } catch {
        try? folder.unlink(name)
        throw error
      }
    } catch let error as Errno {
      throw DocumentError.unusableFile(path: path, error.advised)
    }
  }

  /// Removes what somebody left who was killed while writing it.
  private static func sweep(_ folder: Descriptor) throws(Errno) {
    let names = try folder.open(name: Array(".".utf8), [.reading, .directory]).entries()
    for entry in names where entry.name.starts(with: mark.utf8) {
      guard let status = try folder.status(of: entry.name),
        Int64(Date().timeIntervalSince1970 * 1e9) - status.modifiedNanoseconds > oldest
      else { continue }
      try? folder.unlink(entry.name)
    }
  }
}

/// A content that is being written.
struct StagedContent: ~Copyable {
  private let file: Descriptor
  private var hasher = SHA256Hasher()
  private var size: Int64 = 0

  init(_ file: Descriptor) { self.file = file }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    try file.write(bytes)
    hasher.update(bytes)
    size += Int64(bytes.count)
  }

  /// Puts it in its place, where it isn't there already.
  fileprivate mutating func put(
    named name: [UInt8], in folder: Descriptor
  ) throws -> FileContents.Kept {
    let kept = FileContents.Kept(digest: "\(hasher.finishAndRestart())", size: size)
    let digest = Array(kept.digest.utf8)
    if try folder.status(of: digest)?.size == size {
      try folder.unlink(name)
    } else {
      try file.flush()
      try folder.rename(name, to: folder, digest, .replacing)
      try folder.flush()
    }
    return kept
  }
}
