private import SyncEssentials
private import SyncSystem
import SyncDatabase

/// A store that ships with an app, of which each user gets a copy of their own.
struct ShippedStore: Sendable {
  /// The store that ships. It's only read, and may lie where nothing can be written.
  let shipped: String
  /// Where the copy belongs.
  let path: String

  /// Copies it if there is nothing at its place yet. The copy appears whole or not at all, and has
  /// a name that no other store has.
  ///
  /// What is no store is refused, and so is the store of a newer program. Of several who copy at
  /// the same time, the first one counts.
  func copyIfMissing(_ options: DocumentStoreOptions) async throws {
    guard options.access == .create, !isThere else { return }
    removeLeftovers()
    let staged = "\(path)\(Self.suffix)\(UUID().uuidString)"
    defer { unlink(staged) }
    let database = try await Database.open(
      path: staged, executor: QueueExecutor(label: "documents.copying")
    ) { try copy(to: staged, options) }
    await database.close()
    try appear(staged)
  }

  private static let suffix = "-shipped-"

  private var isThere: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The copy, not in its place yet, and durable once this returns.
  private func copy(to staged: String, _ options: DocumentStoreOptions) throws -> Connection {
    // What ships with an app lies where nothing can be written, as a rule.
    var reading = options
    (reading.access, reading.isUnshared) = (.readOnly, true)
    try DocumentStoreOpening(place: .file(shipped), options: reading).look(at: shipped)
    let source = try Connection(path: shipped, options: reading.connection)
    try source.run("VACUUM INTO ?1", URL(filePath: staged).path)
    var writing = options.connection
    writing.journal = .rollback
    writing.synchronous = .full
    let copy = try Connection(
      path: staged, options: writing, migrations: StoreSchema.migrations)
    _ = try copy.transaction {
      try copy.run("UPDATE store SET name = lower(hex(randomblob(16)))")
    }
    return copy
  }

  private func appear(_ staged: String) throws {
    if link(staged, path) != 0, errno != EEXIST {
      // Some file systems have no links.
      guard !isThere else { return }
      guard rename(staged, path) == 0 else { throw failure("it can't be put in its place") }
    }
    let directory = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  private func failure(_ what: String) -> DatabaseError {
    DatabaseError(
      code: .cannotOpen, message: "\(what): \(String(cString: strerror(errno)))", path: path)
  }

  /// What is left of those who were killed while they copied.
  private func removeLeftovers() {
    let place = URL(filePath: path)
    let directory = place.deletingLastPathComponent()
    let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
    for name in names ?? [] where name.hasPrefix(place.lastPathComponent + Self.suffix) {
      var status = stat()
      let file = directory.appending(path: name).path
      // A younger one may be somebody's who copies just now.
      guard lstat(file, &status) == 0, time(nil) - Self.seconds(status) > 3_600 else { continue }
      unlink(file)
    }
  }

  private static func seconds(_ status: stat) -> Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }
}

extension DocumentStore {
  /// Opens the store of an app that ships with documents: if there is none at `path` yet, it begins
  /// as a copy of the one that ships, under a name of its own.
  ///
  /// - Parameters:
  ///   - path: the store's file.
  ///   - shipped: the file that ships. It's only read, and never again once the store is there.
  package init(
    _ path: String, copying shipped: String,
    options: DocumentStoreOptions = DocumentStoreOptions()
  ) async throws {
    try await ShippedStore(shipped: shipped, path: path).copyIfMissing(options)
    try await self.init(.file(path), options: options)
  }
}
