import SyncFiles
import SyncLock
import SyncSystem
import SyncText

/// Where the contents of files are: in the folder `STORE-files` beside the store, under their
/// digests, or in memory beside a store there.
///
/// A content appears whole or not at all: it is staged, flushed, renamed, and then the folder is
/// flushed. What has come of one so far stands under `DIGEST.part`.
package struct FileContents: Sendable {
  private enum Place: Sendable {
    case folder(String)
    case memory(Locked<[String: [UInt8]]>)
  }

  private let place: Place
  private let queue = DispatchDiskQueue()
  /// Whether it was looked for what somebody left who was killed.
  let hasSwept = Locked(false)

  package init(besideStoreAt path: String) { place = .folder(path + "-files") }

  package init() { place = .memory(Locked([:])) }

  /// How many bytes a content has; `nil` if it isn't here.
  package func size(of digest: String) async throws -> Int64? {
    try await look(digest)
  }

  package func bytes(of digest: String) async throws -> [UInt8]? {
    switch place {
    case .memory(let contents): return contents.withLock { $0[digest] }
    case .folder(let path):
      return try await doing(path) { () throws(Errno) in
        try Self.file(digest, in: path).map { file throws(Errno) in try Self.read(file) }
      }
    }
  }

  /// A content as it's sent, of which nothing is read yet; `nil` if it isn't here.
  func content(of digest: String) async throws -> FileContent? {
    switch place {
    case .memory(let contents): return contents.withLock { $0[digest].map { FileContent($0) } }
    case .folder(let path):
      return try await doing(path) { () throws(Errno) in
        try Self.file(digest, in: path).map { file throws(Errno) in
          try FileContent(file, digest: digest)
        }
      }
    }
  }

  /// Hands a content to `body` piece by piece. Answers whether it's here.
  func read(
    _ digest: String, _ body: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Bool {
    guard case .folder(let path) = place else {
      guard let bytes = try await bytes(of: digest) else { return false }
      try body(bytes)
      return true
    }
    // Not where all others wait.
    return try await DispatchDiskQueue().runStoppably { stop in
      do {
        guard let file = try Self.file(digest, in: path) else { return false }
        try file.readPieces { piece in
          try stop.check()
          try body(Array(piece))
        }
        return true
      } catch let error as Errno {
        throw DocumentError.unusableFile(path: path, error.advised)
      }
    }
  }

  /// Keeps bytes, unless they are here. Answers their digest.
  package func keep(_ bytes: [UInt8]) async throws -> String {
    switch place {
    case .memory(let contents):
      let digest = "\(SHA256Digest(of: bytes))"
      contents.withLock { $0[digest] = bytes }
      return digest
    case .folder(let path):
      return try await queue.run {
        try staged(in: path) { content in
          try bytes.withUnsafeBytes { try content.write($0) }
        }.digest
      }
    }
  }

  /// Keeps a file of the user's own, a piece at a time. Its media type is that of its name's
  /// ending.
  package func keep(path: String) async throws -> FileFacts {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard case .folder(let folder) = place else {
      return try await keep(Self.read(path), named: name)
    }
    let kept = try await copied(path, into: folder)
    return FileFacts(
      digest: kept.digest, size: kept.size, name: name, type: FileTypes.type(ofName: name))
  }

  /// Keeps bytes under a name, whose ending says what type they are of.
  func keep(_ bytes: [UInt8], named name: String) async throws -> FileFacts {
    FileFacts(
      digest: try await keep(bytes), size: Int64(bytes.count), name: name,
      type: FileTypes.type(ofName: name))
  }

  // MARK: - What comes bit by bit

  /// How many bytes of a content have come so far.
  func beginning(of digest: String) async throws -> Int64 {
    try await look(digest + Self.part) ?? 0
  }

  func append(_ bytes: [UInt8], to digest: String) async throws {
    let name = digest + Self.part
    switch place {
    case .memory(let contents): contents.withLock { $0[name, default: []] += bytes }
    case .folder(let path):
      try await doing(path) { () throws(Errno) in
        guard let folder = try Self.folder(path, isMade: true) else { return }
        let file = try folder.open(name: Array(name.utf8), [.writing, .creating], mode: 0o644)
        lseek(file.raw, 0, SEEK_END)
        try file.write(bytes)
      }
    }
  }

  /// All of a content came: it's put in its place if it is what its digest says. Else what came is
  /// thrown away.
  func finish(_ digest: String) async throws -> Bool {
    let name = digest + Self.part
    switch place {
    case .memory(let contents):
      return contents.withLock { contents in
        guard let bytes = contents.removeValue(forKey: name),
          "\(SHA256Digest(of: bytes))" == digest
        else { return false }
        contents[digest] = bytes
        return true
      }
    case .folder(let path):
      return try await doing(path) { () throws(Errno) in
        guard let folder = try Self.folder(path, isMade: true) else { return false }
        return try Self.finish(Array(name.utf8), as: digest, in: folder)
      }
    }
  }

  private static func finish(
    _ name: [UInt8], as digest: String, in folder: Descriptor
  ) throws(Errno) -> Bool {
    let file = try folder.open(name: name, [.writing, .creating], mode: 0o644)
    var hasher = SHA256Hasher()
    try file.readAll { hasher.update($0) }
    guard "\(hasher.finish())" == digest else {
      try folder.unlink(name)
      return false
    }
    try file.flush()
    try folder.rename(name, to: folder, Array(digest.utf8), .replacing)
    try folder.flush()
    return true
  }

  /// What came of a content so far is of no use.
  func discardBeginning(of digest: String) async throws { try await remove(digest + Self.part) }

  /// A content isn't needed any more.
  func remove(_ name: String) async throws {
    switch place {
    case .memory(let contents): contents.withLock { $0[name] = nil }
    case .folder(let path):
      try await doing(path) { () throws(Errno) in
        guard let folder = try Self.folder(path, isMade: false),
          try folder.status(of: Array(name.utf8)) != nil
        else { return }
        try folder.unlink(Array(name.utf8))
      }
    }
  }

  /// The bytes of a file of the user's own. What isn't a file may never end, and is read so far.
  private static func read(_ path: String) async throws -> [UInt8] {
    do {
      return try await DispatchDiskQueue().run {
        try read(Descriptor.open(userPath: path, [.reading], in: SystemFileSystem()), at: path)
      }
    } catch let error as Errno {
      throw DocumentError.unusableFile(path: path, error.advised)
    }
  }

  // MARK: - The folder

  private static let part = ".part"

  private func look(_ name: String) async throws -> Int64? {
    switch place {
    case .memory(let contents): return contents.withLock { $0[name].map { Int64($0.count) } }
    case .folder(let path):
      return try await doing(path) { () throws(Errno) in
        try Self.folder(path, isMade: false)?.status(of: Array(name.utf8))?.size
      }
    }
  }

  static let mostOfPipe = 128 << 20

  private static func read(_ file: Descriptor, at path: String) throws -> [UInt8] {
    let isFile = try file.status().kind == .file
    var bytes: [UInt8] = []
    try file.readPieces { piece in
      bytes.append(contentsOf: piece)
      guard isFile || bytes.count <= mostOfPipe else {
        throw DocumentError.unusableFile(
          path: path, "it isn't a file, and gives more than 128 MB; name a file")
      }
    }
    return bytes
  }

  private static func read(_ file: Descriptor) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    try file.readAll { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// A content, opened; `nil` if it isn't here.
  private static func file(_ digest: String, in path: String) throws(Errno) -> Descriptor? {
    let name = Array(digest.utf8)
    guard let folder = try folder(path, isMade: false), try folder.status(of: name) != nil else {
      return nil
    }
    return try folder.open(name: name, [.reading])
  }

  /// The folder beside the store. A link in its place may lead to files that aren't ours.
  static func folder(_ path: String, isMade: Bool) throws(Errno) -> Descriptor? {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let parent = try Descriptor.open(
      userPath: end == path.startIndex ? "." : String(path[..<end]), [.reading, .directory],
      in: SystemFileSystem())
    let name = Array(path[end...].utf8)
    do {
      return try parent.open(name: name, [.reading, .directory])
    } catch .absent {
      guard isMade else { return nil }
    }
    do { try parent.makeDirectory(name) } catch .exists {}
    return try parent.open(name: name, [.reading, .directory])
  }

  private func doing<Value: Sendable>(
    _ path: String, _ work: @escaping @Sendable () throws(Errno) -> Value
  ) async throws -> Value {
    do {
      return try await queue.run { try work() }
    } catch let error as Errno {
      throw DocumentError.unusableFile(path: path, error.advised)
    }
  }
}

extension Errno {
  /// What is wrong with a file or a folder, and what to do.
  var advised: String {
    switch self {
    case .absent: "there is none; check its name"
    case .isADirectory: "it's a folder; name a file"
    case .notADirectory, .link: "it is a link, or no folder; put a folder there, or nothing"
    case .noSpace, .overQuota: "\(text); make room, then try again"
    case .noRights, .notPermitted, .readOnly: "\(text); check its rights"
    default: text
    }
  }
}
