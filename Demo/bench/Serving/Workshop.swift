import Foundation

/// The servers, the data and the folders of one benchmark.
final class Workshop {
  let options: BenchOptions
  let work: URL
  let nginx: Nginx
  /// Copies that were prepared for measured commands: the image by the command that made it.
  var prepared: [String: URL] = [:]
  private let daemon: RsyncDaemon
  private var links: [Link] = []
  private var servers: [any CountedServer] = []
  /// The sets of records whose files are there.
  private var written: [String: RecordFiles] = [:]

  init(_ options: BenchOptions) throws {
    self.options = options
    work = URL(filePath: options.work, directoryHint: .isDirectory).absoluteURL
    for name in ["sets", "www", "catalogs", "lists", "rounds", "home", "tables"] {
      try FileManager.default.createDirectory(
        at: work.appending(path: name), withIntermediateDirectories: true)
    }
    let www = work.appending(path: "www")
    nginx = try Nginx(
      root: www, catalogs: work.appending(path: "catalogs"), state: work.appending(path: "nginx"))
    daemon = try RsyncDaemon(
      root: work.appending(path: "sets"), state: work.appending(path: "rsyncd"))
  }

  func close() {
    for link in links { link.stop() }
    for image in prepared.values { try? FileManager.default.removeItem(at: image) }
    try? FileManager.default.removeItem(at: tables)
    for server in servers { server.stop() }
    nginx.stop()
    daemon.stop()
  }

  var mirror: String { URL(filePath: options.mirror).absoluteURL.path }
  var records: String { URL(filePath: options.records).absoluteURL.path }
  var python: String { options.python }
  /// Whether Python has the packages that are measured.
  var hasPackages: Bool { !options.isQuick }

  /// A program that PyPI has; nothing in the quick form, which does without.
  func program(ofPyPI name: String) -> String? {
    hasPackages ? options.transfers.map { "\($0)/\(name)" } : nil
  }

  /// Another program that is built with this one.
  func neighbour(_ name: String) -> String {
    URL(filePath: Self.program).deletingLastPathComponent().appending(path: name).path
  }

  /// One of our programs in Python.
  func script(_ name: String) -> String {
    URL(filePath: options.package).absoluteURL
      .appending(path: "Demo/bench/Peers/Programs/\(name).py").path
  }

  /// The build of it that people install.
  var packaged: String? { options.packaged.map { URL(filePath: $0).absoluteURL.path } }

  /// Another build of it, to compare with.
  var earlier: String? { options.earlier.map { URL(filePath: $0).absoluteURL.path } }

  /// The files of a set of records, written if they aren't there yet.
  func files(of set: RecordSet) throws -> RecordFiles {
    if let files = written[set.name] { return files }
    let files = RecordFiles(folder: tables, set: set)
    try files.write()
    written[set.name] = files
    return files
  }

  private var tables: URL { work.appending(path: "tables") }

  /// How many, in this form of the benchmark.
  func amount(_ full: Int, quick: Int) -> Int {
    options.isQuick ? quick : max(1, Int(Double(full) * options.scale))
  }

  /// Whether times are of full data, and so worth a verdict.
  var isFull: Bool { !options.isQuick && options.scale >= 1 }

  /// A new link to nginx, or to another server.
  func link(to server: (any CountedServer)? = nil) throws -> Link {
    let link = try Link(to: server?.port ?? nginx.port, through: neighbour("relay"))
    links.append(link)
    return link
  }

  /// An nginx of its own that serves the same over TLS and offers HTTP/2, and what it shows.
  func secureServer() throws -> (Nginx, Certificate) {
    let state = work.appending(path: "tls")
    let certificate = try Certificate(in: state)
    let server = try Nginx(
      root: work.appending(path: "www"), catalogs: work.appending(path: "catalogs"), state: state,
      over: certificate)
    return (keep(server), certificate)
  }

  /// Keeps a server of one scenario's own until the end of the benchmark.
  func keep<Server: CountedServer>(_ server: Server) -> Server {
    servers.append(server)
    return server
  }

  /// Seconds of processor time that the servers have used.
  func serverTime() throws -> Double {
    try nginx.processorTime() + daemon.processorTime()
  }

  /// Writes the set, and answers the folder's path.
  func write(_ set: DataSet) throws -> String {
    let folder = work.appending(path: "sets/\(set.folderName)")
    try set.write(to: folder)
    return folder.path
  }

  /// Writes the set, publishes its catalog, with these options, and serves both under its name.
  func serve(_ set: DataSet, publishing options: [String] = []) throws {
    let folder = URL(filePath: try write(set))
    // An earlier run's would be kept for a day.
    try? FileManager.default.removeItem(at: folder.appending(path: "catalog.ndjson.packs"))
    try Tools.run(
      mirror,
      ["publish", folder.path, "--quiet"] + options
        + (set.previews.isEmpty ? [] : ["--previews", "previews"]))
    let catalog = self.catalog(set.name)
    try? FileManager.default.removeItem(at: catalog)
    try FileManager.default.moveItem(at: folder.appending(path: "catalog.ndjson"), to: catalog)
    // A date of this very second would prove nothing to a later request.
    try date(catalog, edition: set.edition)
    let place = work.appending(path: "www/\(set.name)")
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: folder)
  }

  func date(_ catalog: URL, edition: Int) throws {
    let date = DataSet.File(path: "", size: 0, generation: edition).date
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(date))], ofItemAtPath: catalog.path)
  }

  func catalog(_ name: String) -> URL { work.appending(path: "catalogs/\(name).ndjson") }

  /// How many bytes the catalog has.
  func catalogSize(_ name: String) throws -> Int {
    try catalog(name).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }

  /// The job of copying a set that is served, over a link or at once.
  func job(
    _ set: DataSet, over link: Link? = nil, from server: (any CountedServer)? = nil
  ) throws -> Job {
    Job(
      set: set,
      url: "http://127.0.0.1:\(server?.port ?? link?.port ?? nginx.port)/\(set.name)/",
      lists: work.appending(path: "lists"), digests: try digests(of: set),
      mirror: mirror, descriptors: options.isQuick ? 2 * 32 + 32 : nil,
      rsyncURL: "rsync://127.0.0.1:\(daemon.port)/sets/\(set.folderName)/")
  }

  /// The job of copying a set that has no catalog of ours.
  func job(ofArchive set: DataSet) -> Job {
    Job(
      set: set, url: "http://127.0.0.1:\(nginx.port)/\(set.name)/",
      lists: work.appending(path: "lists"), mirror: mirror,
      descriptors: options.isQuick ? 2 * 32 + 32 : nil)
  }

  private func digests(of set: DataSet) throws -> [String: String] {
    struct Entry: Decodable {
      var key: String?
      var sha256: String?
    }
    guard set.files.count <= 20_000 else { return [:] }
    let decoder = JSONDecoder()
    let lines = try Data(contentsOf: catalog(set.name)).split(separator: UInt8(ascii: "\n"))
    return try lines.reduce(into: [:]) { digests, line in
      let entry = try decoder.decode(Entry.self, from: line)
      if let key = entry.key { digests[key] = entry.sha256 }
    }
  }

  /// The names that stand for this machine's in command lines that are shown.
  var places: [(name: String, value: String)] {
    let ports = [nginx.port, daemon.port] + links.map(\.port) + servers.map(\.port)
    return [
      ("mirror", mirror), ("bench", Self.program), ("", work.appending(path: "lists").path + "/"),
      ("mirror", packaged ?? ""), ("", work.appending(path: "tls").path + "/"),
      ("records", records), ("floor", neighbour("floor")), ("", tables.path + "/"),
      ("", options.transfers.map { $0 + "/" } ?? ""), ("python3", python),
      ("", URL(filePath: script("x")).deletingLastPathComponent().path + "/"),
    ] + ports.map { ("server", "127.0.0.1:\($0)") }
  }

  static let program =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
}
