package import SyncFiles
public import SyncFolder
import SyncText

/// Writes a catalog of a local folder, so that any static host can serve both and `mirror` can
/// follow them.
///
/// The catalog is NDJSON of format 1: a header with `count`, `complete` and a revision that is the
/// digest of the entry lines, then the entries in the byte order of their keys, each with size,
/// digest and modification time (whole seconds). An unchanged folder gives the same bytes, and then
/// the file isn't touched.
///
/// Symbolic links are not followed and, like everything that isn't a regular file, left out; so are
/// `.mirror`, the catalog itself, and names that are no keys. What is left out is reported.
public struct CatalogWriter: Sendable {
  /// What may be chosen.
  public struct Options: Sendable {
    /// The catalog's file name in the folder. Default `catalog.ndjson`.
    public var fileName = "catalog.ndjson"
    /// A title for people. Default none.
    public var title: String?
    /// Where clients find the files, if not beside the catalog: a URL that ends with a slash.
    public var base: String?
    /// A directory in the folder that holds previews: the preview of `a/b.jpg` is the file
    /// `a/b.jpg.<extension>` in it. Its files are no entries. Default none.
    public var previews: String?

    /// The defaults.
    public init() {}
  }

  private let folder: String
  private let options: Options

  /// A writer for the folder at this path.
  public init(folder: String, options: Options = Options()) {
    self.folder = folder
    self.options = options
  }

  /// Reads and hashes every file, and replaces the catalog in one step: a temporary file beside it,
  /// flushed, then renamed. Blocks the calling thread.
  ///
  /// - Throws: ``PublishError``.
  public func write() throws -> PublishReport { try write(until: StopFlag()) }

  /// As ``write()``, until `stop` is raised: then the catalog stays as it is.
  /// - Throws: ``PublishError``, or `CancellationError`.
  package func write(until stop: StopFlag) throws -> PublishReport {
    try checkOptions()
    var walk = try FolderWalk(folder: folder, catalog: options.fileName, until: stop)
    try walk.run()
    var (entries, previews) = separate(walk.files)
    var skipped = walk.skipped
    for preview in previews {
      guard let owner = owner(of: preview), entries[owner]?.preview == nil else {
        skipped.append(.init(name: preview.path.description, reason: .previewOfNothing))
        continue
      }
      entries[owner]?.preview = preview
    }
    previews = entries.values.compactMap(\.preview)
    let files = entries.values.sorted { $0.file.path.key < $1.file.path.key }
    let text = CatalogText(title: options.title, base: options.base, entries: files)
    let wasReplaced = try walk.replaceCatalog(with: text.bytes)
    return PublishReport(
      entries: files.count, previews: previews.count,
      bytes: files.reduce(0) { $0 + $1.file.size }, wasReplaced: wasReplaced,
      skipped: skipped.sorted { $0.name < $1.name })

    func owner(of preview: PublishedFile) -> [UInt8]? {
      let below = preview.path.bytes.dropFirst(previewPrefix.count)
      guard let dot = below.lastIndex(of: UInt8(ascii: ".")) else { return nil }
      let key = Array(below[..<dot])
      return entries[key] == nil ? nil : key
    }
  }

  private var previewPrefix: [UInt8] { Array((options.previews ?? "").utf8) + Array("/".utf8) }

  private func separate(
    _ files: [PublishedFile]
  ) -> (entries: [[UInt8]: PublishedEntry], previews: [PublishedFile]) {
    var entries: [[UInt8]: PublishedEntry] = [:]
    var previews: [PublishedFile] = []
    for file in files.sorted(by: { $0.path.key < $1.path.key }) {
      if options.previews != nil, file.path.bytes.starts(with: previewPrefix) {
        previews.append(file)
      } else {
        entries[file.path.bytes] = PublishedEntry(file: file)
      }
    }
    return (entries, previews)
  }

  private func checkOptions() throws(PublishError) {
    let isName = (try? RelativePath(CatalogKey(options.fileName)))?.components.count == 1
    guard isName else { throw .badOption(.fileName(options.fileName)) }
    if let base = options.base {
      guard let url = URLReference(base), url.scheme != nil, url.path.hasSuffix("/"),
        !url.hasUserInfo
      else { throw .badOption(.base) }
    }
    if let previews = options.previews, (try? RelativePath(CatalogKey(previews))) == nil {
      throw .badOption(.previews(previews))
    }
  }
}

/// What publishing did.
public struct PublishReport: Hashable, Sendable {
  /// Entries in the catalog.
  public var entries: Int
  /// Entries that have a preview.
  public var previews: Int
  /// Bytes of all entries, without previews.
  public var bytes: Int64
  /// Whether the catalog was written; false when it was the same already.
  public var wasReplaced: Bool
  /// What was left out, by name.
  public var skipped: [Skipped]

  /// Something in the folder that is not in the catalog.
  public struct Skipped: Hashable, Sendable {
    /// Its path below the folder, escaped as keys are.
    public var name: String
    /// Why.
    public var reason: Reason

    /// Why something is left out.
    public enum Reason: Hashable, Sendable {
      /// Its name is no key.
      case key(KeyProblem)
      /// It is a link, a FIFO, a socket or a device.
      case notAFile
      /// It is a preview of a file that isn't there, or a second one of the same file.
      case previewOfNothing
    }
  }
}

extension PublishReport.Skipped: CustomStringConvertible {
  /// A sentence.
  public var description: String {
    switch reason {
    case .key(let problem): "'\(name)' was left out: its name \(problem)."
    case .notAFile: "'\(name)' was left out: it is neither a file nor a directory."
    case .previewOfNothing: "'\(name)' was left out: it is the preview of no file, or a second one."
    }
  }
}
