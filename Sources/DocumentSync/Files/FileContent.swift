import SyncFiles
import SyncSystem

/// What a file holds, as it's sent to a server: read piece by piece while it's sent, and again from
/// anywhere if it's sent again. So none of it needs to be in memory.
///
/// It never changes, not even if the file is removed meanwhile.
public struct FileContent: Sendable, Hashable {
  private enum Source: Sendable {
    case bytes([UInt8])
    /// An open file, which is closed with the last of those who hold it; and its digest.
    case file(Descriptor, digest: String)
  }

  /// How many bytes it has.
  public let size: Int64
  private let source: Source

  /// These bytes.
  public init(_ bytes: [UInt8]) {
    size = Int64(bytes.count)
    source = .bytes(bytes)
  }

  init(_ file: Descriptor, digest: String) throws(Errno) {
    size = try file.status().size
    source = .file(file, digest: digest)
  }

  /// Reads bytes from an offset on, in place of what is in `room`. It blocks while they come from
  /// the disk.
  ///
  /// - Returns: how many: some, unless there is no room for any, or it ends there.
  /// - Throws: ``DocumentError/unusableFile(path:_:)``.
  public func read(
    at offset: Int64, into room: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let count = Int(max(0, min(Int64(room.count), size - offset)))
    guard count > 0 else { return 0 }
    switch source {
    case .bytes(let bytes):
      let start = Int(offset)
      bytes.withUnsafeBytes { room.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
      return count
    case .file(let file, let digest):
      let read = try file.read(at: offset, into: .init(rebasing: room[..<count]), of: digest)
      guard read > 0 else {
        throw DocumentError.unusableFile(path: digest, "it ends after \(offset) bytes")
      }
      return read
    }
  }

  /// All of it, for who can't send it otherwise.
  ///
  /// - Throws: ``DocumentError/unusableFile(path:_:)``.
  public func bytes() throws -> [UInt8] {
    if case .bytes(let bytes) = source { return bytes }
    return try [UInt8](unsafeUninitializedCapacity: Int(size)) { room, count in
      let room = UnsafeMutableRawBufferPointer(room)
      while count < Int(size) {
        count += try read(at: Int64(count), into: .init(rebasing: room[count...]))
      }
    }
  }
}

extension FileContent {
  /// Whether both are the same bytes, or the same content of a store.
  public static func == (one: FileContent, other: FileContent) -> Bool {
    switch (one.source, other.source) {
    case (.bytes(let one), .bytes(let other)): one == other
    case (.file(_, let one), .file(_, let other)): one == other
    case (.bytes, .file), (.file, .bytes): false
    }
  }

  /// By the size: what is the same has the same hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(size) }
}

extension Descriptor {
  /// Reads where it's said, and leaves the file's own place as it is.
  fileprivate func read(
    at offset: Int64, into room: UnsafeMutableRawBufferPointer, of digest: String
  ) throws -> Int {
    while true {
      let count = pread(raw, room.baseAddress, room.count, off_t(offset))
      if count >= 0 { return count }
      let number = errno
      if number != EINTR {
        throw DocumentError.unusableFile(path: digest, Errno(code: number).advised)
      }
    }
  }
}
