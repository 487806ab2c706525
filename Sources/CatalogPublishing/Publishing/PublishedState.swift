import SyncFiles
import SyncFolder
import SyncText

/// What tells one state of a published file from another without reading it.
///
/// The time of the last change can't be set back by whoever writes a file, as its modification time
/// can; and a file that was put in another's place has another number.
struct PublishedStamp: Hashable, Sendable {
  var size: Int64
  var modifiedNanoseconds: Int64
  var changedNanoseconds: Int64
  var inode: UInt64

  init(size: Int64, modifiedNanoseconds: Int64, changedNanoseconds: Int64, inode: UInt64) {
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.changedNanoseconds = changedNanoseconds
    self.inode = inode
  }

  init(_ status: FileStatus) {
    self.init(
      size: status.size, modifiedNanoseconds: status.modifiedNanoseconds,
      changedNanoseconds: status.changedNanoseconds, inode: status.inode)
  }

  /// Whether every later change has another stamp, seen from a moment before the file was read.
  ///
  /// A file system's clock goes in ticks, of milliseconds on most and of two seconds on FAT. What
  /// is written twice within a tick has one stamp for both: a stamp that young proves nothing.
  func isSettled(at now: Int64) -> Bool {
    let latest = max(modifiedNanoseconds, changedNanoseconds)
    return latest.addingSaturated(Self.longestTick) < now
  }

  private static let longestTick: Int64 = 2_000_000_000
}

/// What is remembered of the files of the last catalog, so that what hasn't changed since isn't
/// hashed again.
///
/// It lies in a file beside the catalog: a first line with the digest of the rest, lines for what
/// is known of packs, then a line for each file. Anything wrong with it, and nothing is remembered:
/// all is hashed again.
struct PublishedState: Equatable, Sendable {
  struct File: Equatable, Sendable {
    var stamp: PublishedStamp
    var digest: SHA256Digest
  }

  /// A file and its path.
  typealias Named = (path: [UInt8], file: File)

  /// By path. Only files whose stamp was settled.
  var files: [[UInt8]: File] = [:]
  var packs = PackMemory()

  /// The digest of the file at this path, if it is in the state that it was hashed in.
  func digest(of path: RelativePath, in stamp: PublishedStamp) -> SHA256Digest? {
    guard let file = files[path.bytes], file.stamp == stamp else { return nil }
    return file.digest
  }
}

extension PublishedState {
  private static let title = "What mirror has published, form 1: "

  /// The bytes of the file for these, the same in whatever order they are.
  static func bytes(of files: [Named], packs: PackMemory = PackMemory()) -> [UInt8] {
    let place = title.utf8.count..<title.utf8.count + 64
    // The digest comes to its place once the rest is there, so that there is no second list of it.
    var bytes = Array(title.utf8) + [UInt8](repeating: 0, count: place.count)
    bytes.append(UInt8(ascii: "\n"))
    bytes += packs.lines.utf8
    bytes.reserveCapacity(files.reduce(bytes.count) { $0 + $1.path.count + 160 })
    for (path, file) in files.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      let stamp = file.stamp
      bytes +=
        """
        \(file.digest) \(stamp.size) \(stamp.modifiedNanoseconds) \(stamp.changedNanoseconds) \
        \(stamp.inode)\u{20}
        """.utf8
      // A path holds no control characters, and so no line break.
      bytes += path
      bytes.append(UInt8(ascii: "\n"))
    }
    let digest = SHA256Digest(of: bytes[(place.upperBound + 1)...])
    bytes.replaceSubrange(place, with: digest.description.utf8)
    return bytes
  }

  /// What bytes of a file say; nothing, if they aren't whole.
  init(bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), bytes.starts(with: Self.title.utf8),
      let digest = SHA256Digest(
        hexadecimal: String(decoding: bytes[Self.title.utf8.count..<end], as: UTF8.self)),
      SHA256Digest(of: bytes[(end + 1)...]) == digest
    else { return }
    let lines = bytes[(end + 1)...].split(separator: UInt8(ascii: "\n"))
    files.reserveCapacity(lines.count)
    for line in lines {
      if let (path, file) = Self.file(line) {
        files[path] = file
      } else {
        packs.read(line)
      }
    }
  }

  private static func file(_ line: ArraySlice<UInt8>) -> ([UInt8], File)? {
    let fields = line.split(
      separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
    guard fields.count == 6 else { return nil }
    let words = fields.prefix(5).map { String(decoding: $0, as: UTF8.self) }
    guard let digest = SHA256Digest(hexadecimal: words[0]), let size = Int64(words[1]),
      let modified = Int64(words[2]), let changed = Int64(words[3]), let inode = UInt64(words[4])
    else { return nil }
    let stamp = PublishedStamp(
      size: size, modifiedNanoseconds: modified, changedNanoseconds: changed, inode: inode)
    return (Array(fields[5]), File(stamp: stamp, digest: digest))
  }
}
