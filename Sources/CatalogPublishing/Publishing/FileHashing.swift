import SyncFiles
import SyncFolder
import SyncText

/// Hashes what a walk has found, but for what is remembered and hasn't changed since.
struct FileHashing {
  private let root: Descriptor
  /// The directory of the last file that was opened.
  private var directory: (path: [[UInt8]], open: Descriptor)
  private let stop: StopFlag
  private let now: () -> Int64
  private let told: (PublishProgress) -> Void
  private(set) var progress: PublishProgress
  /// What is to be remembered.
  private(set) var state: [PublishedState.Named] = []

  /// For files below an open folder.
  /// - Parameters:
  ///   - progress: What was read before.
  ///   - now: The date in nanoseconds since 1970.
  ///   - told: Told how far it is, after each piece of a file.
  init(
    below root: Descriptor, after progress: PublishProgress = PublishProgress(),
    until stop: StopFlag, now: @escaping () -> Int64,
    told: @escaping (PublishProgress) -> Void
  ) {
    self.root = root
    self.progress = progress
    self.stop = stop
    self.now = now
    self.told = told
    directory = ([], root)
  }

  /// All files with their digests.
  /// - Parameter packer: Takes the bytes of small files, as they are read, but for those of the
  ///   last ones, which aren't in the catalog.
  /// - Throws: ``PublishError``, or `CancellationError` when it is to stop.
  mutating func hash(
    _ found: PublishedPreviews.Assignment, remembering last: PublishedState, by packer: Packer?
  ) throws -> [PublishedFile] {
    let digest = { (file: FolderWalk.Found) in
      last.digest(of: file.path, in: PublishedStamp(file.status))
    }
    for file in found.files where digest(file) == nil {
      progress.files.total += 1
      progress.bytes.total += file.status.size
    }
    told(progress)
    return try found.files.enumerated().map { place, file in
      try stop.check()
      let stamp = PublishedStamp(file.status)
      guard let digest = digest(file) else {
        return try hash(
          file.path, isPublic: file.isPublic, by: place < found.listed ? packer : nil)
      }
      state.append((file.path.bytes, .init(stamp: stamp, digest: digest)))
      return PublishedFile(file.path, stamp, digest, isPublic: file.isPublic)
    }
  }

  /// Packs those of the first files that aren't packed yet, or lie in packs that are to be written
  /// anew; all of them are read once more.
  mutating func pack(_ files: inout [PublishedFile], first count: Int, by packer: Packer) throws {
    let places = files[..<count].indices.filter {
      files[$0].isPublic && PackPolicy.takes(files[$0].size)
    }
    let lacking = places.filter { !packer.holds(files[$0].digest) }
    packer.giveUp(beside: Self.load(of: files, lacking))
    let waiting = places.filter { !packer.holds(files[$0].digest) }
    let load = Self.load(of: files, waiting)
    guard packer.isWorthPacking(with: load), packer.hasRoom else { return }
    progress.files.total += load.files
    progress.bytes.total += load.bytes
    let paths = Set(waiting.map { files[$0].path.bytes })
    state.removeAll { paths.contains($0.path) }
    for place in waiting {
      try stop.check()
      files[place] = try hash(files[place].path, isPublic: true, by: packer)
    }
  }

  private static func load(
    of files: [PublishedFile], _ places: [Int]
  ) -> PackPolicy.Load {
    PackPolicy.Load(files: places.count, bytes: places.reduce(0) { $0 + files[$1].size })
  }

  /// Hashes a file, and once more from the start if it changed meanwhile.
  /// - Parameter isPublic: Whether everybody could read it when it was found.
  private mutating func hash(
    _ path: RelativePath, isPublic: Bool, by packer: Packer?
  ) throws -> PublishedFile {
    let began = progress
    for _ in 0..<2 {
      progress = began
      if let file = try hashIfStill(path, isPublic, by: packer) {
        progress.files.done += 1
        told(progress)
        return file
      }
    }
    throw PublishError.changing(path: path.description)
  }

  private mutating func hashIfStill(
    _ path: RelativePath, _ isPublic: Bool, by packer: Packer?
  ) throws -> PublishedFile? {
    do {
      let now = now()
      let file = try open(path.components)
      let before = try file.status()
      guard before.kind == .file else { return nil }
      let (stamp, isPublic) = (PublishedStamp(before), isPublic && before.letsEverybodyRead)
      let digest =
        if let packer, isPublic, PackPolicy.takes(before.size) {
          try digest(of: file, in: stamp, by: packer)
        } else {
          try digest(of: file, in: stamp)
        }
      guard let digest else { return nil }
      if stamp.isSettled(at: now) {
        state.append((path.bytes, .init(stamp: stamp, digest: digest)))
      }
      return PublishedFile(path, stamp, digest, isPublic: isPublic)
    } catch Errno.absent {
      return nil
    } catch let error as Errno {
      throw PublishError.system(action: "read", path: path.description, reason: error.text)
    } catch let failure as PackFailure {
      throw PublishError(failure)
    }
  }

  /// The digest of a file's bytes; `nil` if it isn't in this state any more.
  private mutating func digest(
    of file: Descriptor, in stamp: PublishedStamp
  ) throws -> SHA256Digest? {
    var hasher = SHA256Hasher()
    var size: Int64 = 0
    try file.readPieces { bytes in
      try stop.check()
      hasher.update(bytes)
      size += Int64(bytes.count)
      progress.bytes.done += Int64(bytes.count)
      told(progress)
    }
    guard PublishedStamp(try file.status()) == stamp, size == stamp.size else { return nil }
    return hasher.finish()
  }

  /// As ``digest(of:in:)``, of a small file, whose bytes go into a pack at once if no pack holds
  /// them.
  private mutating func digest(
    of file: Descriptor, in stamp: PublishedStamp, by packer: Packer
  ) throws -> SHA256Digest? {
    let count = try file.read(into: try packer.room(for: stamp.size), atLeast: Int(stamp.size))
    guard PublishedStamp(try file.status()) == stamp, count == Int(stamp.size) else { return nil }
    progress.bytes.done += Int64(count)
    return packer.pack(count)
  }

  /// Opens a file name by name, as the walk did: through no link, but onto mounted file systems.
  private mutating func open(_ path: [[UInt8]]) throws(Errno) -> Descriptor {
    let parent = Array(path.dropLast())
    if directory.path != parent {
      var here = root
      for name in parent { here = try here.open(name: name, [.reading, .directory]) }
      directory = (parent, here)
    }
    return try directory.open.open(name: path[parent.count], [.reading, .withoutWaiting])
  }
}

extension PublishError {
  init(_ failure: PackFailure) {
    self = .system(action: failure.action, path: failure.path, reason: failure.errno.text)
  }
}

extension PublishedFile {
  fileprivate init(
    _ path: RelativePath, _ stamp: PublishedStamp, _ digest: SHA256Digest, isPublic: Bool
  ) {
    let (seconds, rest) = stamp.modifiedNanoseconds.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    self.init(
      path: path, size: stamp.size, modified: Int(rest < 0 ? seconds - 1 : seconds),
      digest: digest)
    self.isPublic = isPublic
  }
}

/// How far publishing is: of what has to be hashed, as it is new or changed since last time, or as
/// everything is to be read again.
public struct PublishProgress: Hashable, Sendable {
  /// Files, and packs.
  public var files = Amount<Int>()
  /// Bytes.
  public var bytes = Amount<Int64>()

  /// So many of so many.
  public struct Amount<Number: Hashable & Sendable & ExpressibleByIntegerLiteral>: Hashable,
    Sendable
  {
    /// Those that are done.
    public var done: Number = 0
    /// All that are known of: with packs, those that have to be read once more are added when all
    /// others are done.
    public var total: Number = 0
  }
}
