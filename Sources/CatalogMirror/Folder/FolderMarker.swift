/// Reads and writes the marker of one folder.
struct FolderMarker {
  let root: Descriptor
  let resolver: PathResolver
  /// The folder's path for error messages.
  let folder: String

  static let name = Array("marker".utf8)
  private static let path = BeneathPath.control.appending(name)

  /// What a marker says as long as no index holds its id.
  private static let unbound = Array("unbound\n".utf8)

  /// The id in the marker, and whether no index may hold it yet; `nil` when there is no marker.
  func read() throws -> (id: FolderID, isNew: Bool)? {
    let bytes: [UInt8]
    do {
      bytes = try resolver.open(
        Self.path.bytes, beneath: root, [.reading, .withoutWaiting]
      ).readStart(limit: 256)
    } catch .absent {
      return nil
    } catch { throw FolderError(error, "\(folder)/.mirror/marker") }
    guard let id = FolderID(marker: bytes) else {
      throw FolderError(.markerDamaged, "\(folder)/.mirror/marker")
    }
    return (id, bytes == id.marker + Self.unbound)
  }

  /// As ``read()``, of a marker that is made where there is none.
  func readOrMake() throws -> (id: FolderID, isNew: Bool) {
    if let found = try read() { return found }
    do {
      try make()
    } catch { throw FolderError(error, "\(folder)/.mirror") }
    guard let made = try read() else { throw FolderError(.folderChanged, folder) }
    return made
  }

  /// Says that the index holds the id now. Only under the folder's lock.
  func noteBound(_ id: FolderID) throws {
    do {
      let control = try resolver.open(
        BeneathPath.control.bytes, beneath: root, [.reading, .directory])
      let draft = Array("marker-\(id.text)".utf8)
      let file = try control.open(name: draft, [.writing, .creating], mode: 0o644)
      try file.truncate()
      try file.write(id.marker)
      try file.flush()
      try control.rename(draft, to: control, Self.name, .replacing)
      try control.flush()
    } catch { throw FolderError(error, Self.path) }
  }

  // Written whole and durable under another name first, so that a crash leaves no half marker; of
  // two runs that do this at once, the first to rename wins, and the other reads what it wrote.
  private func make() throws(Errno) {
    do { try root.makeDirectory(BeneathPath.control.bytes, mode: 0o700) } catch .exists {}
    let control = try resolver.open(
      BeneathPath.control.bytes, beneath: root, [.reading, .directory])
    var generator = SystemRandomNumberGenerator()
    let id = FolderID.random(using: &generator)
    let draft = Array("marker-\(id.text)".utf8)
    let file = try control.open(
      name: draft, [.writing, .creating, .exclusively], mode: 0o644)
    do {
      try file.write(id.marker + Self.unbound)
      try file.flush()
      try control.rename(draft, to: control, Self.name, .intoEmptyPlace)
    } catch {
      try? control.unlink(draft)
      guard error == .exists else { throw error }
    }
    try control.flush()
    try root.flush()
  }
}
