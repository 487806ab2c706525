import SyncFiles
import SyncTransport
import SyncText

/// Reads from the folder of a catalog that is itself a file, and from nowhere else.
///
/// Paths are opened beneath that folder and through no link. A file's size, modification time
/// and inode serve as its entity tag.
package struct FileSource: ByteSource {
  private let folder: URLReference
  private let root: Descriptor
  private let queue: any DiskQueue

  init(
    catalog: URLReference, queue: any DiskQueue, in fileSystem: any FileSystem = SystemFileSystem()
  ) throws {
    guard catalog.authority ?? "" == "", let slash = catalog.path.lastIndex(of: "/"),
      let path = PercentEncoding.decode(catalog.path[...slash]),
      let text = String(validating: path, as: UTF8.self),
      let folder = URLReference("file://" + catalog.path[...slash])
    else { throw SourceProblem.badAddress(catalog.redacted) }
    self.folder = folder
    self.queue = queue
    do {
      root = try Descriptor.open(userPath: text, [.reading, .directory], in: fileSystem)
    } catch { throw SourceProblem.folder(path: ByteString.escape(text), error) }
  }

  package func fetch(_ request: ByteRequest, into sink: any ByteSink) async throws -> ByteAnswer {
    guard request.method == .get || request.method == .head else {
      throw FileSourceError([], "a file can't be asked by \(request.method.name)")
    }
    let path = try relativePath(request.url)
    return try await queue.runStoppably { [root] stop in
      try Self.read(path, beneath: root, request, into: sink, until: stop)
    }
  }

  private func relativePath(_ url: String) throws(FileSourceError) -> [UInt8] {
    guard let named = URLReference(url), named.scheme == folder.scheme,
      let path = PercentEncoding.decode(named.path),
      let start = PercentEncoding.decode(folder.path), path.starts(with: start)
    else {
      let name = URLReference(url)?.redacted ?? "the address"
      throw FileSourceError(
        [],
        """
        \(name) isn't below the folder of the catalog, which is a file and has its items there; \
        serve the catalog over http to have some from elsewhere
        """)
    }
    return Array(path.dropFirst(start.count))
  }

  private static func read(
    _ path: [UInt8], beneath root: Descriptor, _ request: ByteRequest, into sink: any ByteSink,
    until stop: StopFlag
  ) throws -> ByteAnswer {
    guard !path.isEmpty else { throw FileSourceError(folder: path) }
    do {
      let file = try PathResolver.best(for: root)
        .open(path, beneath: root, [.reading, .withoutWaiting])
      let status = try file.status()
      guard status.kind == .file else {
        if status.kind == .directory { throw FileSourceError(folder: path) }
        throw FileSourceError(path, "it is no regular file; name one")
      }
      var answer = ByteAnswer(url: request.url, isFramed: true)
      answer.declaredLength = status.size
      answer.modified = Double(status.modifiedNanoseconds) / 1_000_000_000
      answer.etag = "\"\(status.size)-\(status.modifiedNanoseconds)-\(status.inode)\""
      answer.isNotModified = request.etag != nil && request.etag == answer.etag
      guard !answer.isNotModified, request.method == .get else { return answer }
      try sink.begin(answer)
      try file.readPieces { piece in
        try stop.check()
        try sink.write(piece)
        answer.bodyBytes += Int64(piece.count)
      }
      guard try file.status() == status else {
        throw FileSourceError(path, "it was changed while it was read; try again")
      }
      try request.check(answer)
      return answer
    } catch let error as Errno {
      throw FileSourceError(
        path, "\(error.text); check that it is there and may be read",
        absence: error == .absent ? error.text : nil)
    }
  }
}

/// A file beside the catalog that can't be read.
package struct FileSourceError: Error, CustomStringConvertible {
  /// Its path below the catalog's folder, escaped.
  let path: String
  /// What happened, as the end of a sentence.
  package let reason: String
  /// What the system says, where it says that there is no such file.
  package let absence: String?
  /// Whether it is a folder, whose files nobody lists.
  package private(set) var isFolder = false

  init(folder path: [UInt8]) {
    self.init(
      path, "it is a folder, whose files nobody lists; publish a catalog of it, and name that")
    isFolder = true
  }

  init(_ path: [UInt8], _ reason: String, absence: String? = nil) {
    self.path = ByteString.escape(path)
    (self.reason, self.absence) = (reason, absence)
  }

  package var description: String {
    path.isEmpty
      ? reason : "it can't be read at the source (\(path)): \(reason)"
  }
}
