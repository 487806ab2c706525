import SyncFiles
import SyncText

struct FolderMarker {
  let root: Descriptor
  let resolver: PathResolver
  let folder: String

  static let name = Array("marker".utf8)
  private static let path = BeneathPath.control.appending(name)

  /// What a marker says as long as no index holds its id.
  private static let unbound = Array("unbound\n".utf8)

  /// What stands before the catalog that the folder mirrors, in a line of its own.
  private static let catalog = Array("catalog ".utf8)

  /// What stands before the ids of the keys that its catalog was checked by, in a line of its own.
  private static let keys = Array("keys ".utf8)

  /// The most ids of keys that a marker takes up, and the longest one.
  private static let (mostKeys, longestKey) = (64, 64)

  /// The longest catalog's address that a marker takes up.
  private static let longestCatalog = 8_192

  struct Content {
    var id: FolderID
    /// Whether no index may hold the id yet.
    var isNew: Bool
    /// The identity of the catalog that the folder mirrors; `nil` where none was kept.
    var catalog: String?
    /// The ids of the keys that this catalog was checked by; none where nobody has asked for a
    /// signature.
    var keys: [String]
  }

  /// What the marker says; `nil` when there is no marker.
  func read() throws -> Content? { try bytes().map(content) }

  /// As ``read()``, of a marker that is made where there is none.
  func readOrMake() throws -> Content {
    if let found = try readOrMend() { return found }
    return try make(.intoEmptyPlace)
  }

  /// As ``read()``, of a marker that is made anew if it was cut short.
  func readOrMend() throws -> Content? {
    guard let bytes = try bytes(), try isTorn(bytes) else { return try read() }
    return try make(.replacing)
  }

  private func bytes() throws -> [UInt8]? {
    do {
      return try resolver.open(
        Self.path.bytes, beneath: root, [.reading, .withoutWaiting]
      ).readStart(
        limit: 256 + Self.longestCatalog + Self.mostKeys * (Self.longestKey + 1))
    } catch .absent {
      return nil
    } catch { throw FolderError(error, "\(folder)/.mirror/marker") }
  }

  private func content(_ bytes: [UInt8]) throws -> Content {
    guard let id = FolderID(marker: bytes) else {
      throw FolderError(
        try isTorn(bytes) ? .markerTorn : .markerDamaged, "\(folder)/.mirror/marker")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let text = { (start: [UInt8]) in
      lines.first { $0.starts(with: start) }
        .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
    }
    return Content(
      id: id, isNew: bytes == id.marker + Self.unbound, catalog: text(Self.catalog),
      keys: text(Self.keys)?.split(separator: " ").map(String.init) ?? [])
  }

  /// Whether a marker was cut short: it is empty, zeros, or a beginning without any digit of an id,
  /// beside an index. One with digits may be another folder's.
  private func isTorn(_ bytes: [UInt8]) throws -> Bool {
    let left = bytes.prefix { $0 != 0 }
    let rest = bytes.dropFirst(left.count)
    guard FolderID.markerStart.starts(with: left), rest.allSatisfy({ $0 == 0 }) else {
      return false
    }
    do {
      let control = try resolver.open(
        BeneathPath.control.bytes, beneath: root, [.reading, .directory])
      return try control.status(of: Array("index.sqlite".utf8)).map { $0.size > 0 } ?? false
    } catch { throw FolderError(error, "\(folder)/.mirror") }
  }

  /// Says that the index holds the id now. Only under the folder's lock.
  func noteBound(_ id: FolderID) throws {
    try replace(by: id.marker, of: id)
  }

  /// Says which catalog the folder mirrors and by which keys it was checked, so that it is known
  /// also without the index. Only under the folder's lock.
  ///
  /// An address that is too long for a marker isn't named; what it named before is then no longer,
  /// if there are keys to name, and stays if there are none.
  func keep(catalog: String, keys: [String], with id: FolderID) throws {
    guard catalog.utf8.count <= Self.longestCatalog || !keys.isEmpty else { return }
    var lines: [UInt8] = []
    if catalog.utf8.count <= Self.longestCatalog {
      lines += Self.catalog + Array(catalog.utf8) + [UInt8(ascii: "\n")]
    }
    let kept = keys.filter { $0.utf8.count <= Self.longestKey }.prefix(Self.mostKeys)
    if !kept.isEmpty { lines += Self.keys + Array(kept.joined(separator: " ").utf8) + [0x0A] }
    try replace(by: id.marker + lines, of: id)
  }

  // Durable however the files are written: without its marker, nobody knows the folder.
  private func replace(by bytes: [UInt8], of id: FolderID) throws {
    do {
      let control = try resolver.open(
        BeneathPath.control.bytes, beneath: root, [.reading, .directory])
      let draft = Array("marker-\(id.text)".utf8)
      let file = try control.open(name: draft, [.writing, .creating], mode: 0o644)
      try file.truncate()
      try file.write(bytes)
      try file.flush()
      try control.rename(draft, to: control, Self.name, .replacing)
      try control.flush()
    } catch { throw FolderError(error, Self.path) }
  }

  // Written whole and durable under another name first, so that a crash leaves no half marker. Of
  // two runs that do this at once where there is none, the first to rename wins; of two that mend
  // one, the second, and the first ends, since its folder isn't the same any more.
  private func make(_ rule: RenameRule) throws -> Content {
    do {
      try write(rule)
    } catch { throw FolderError(error, "\(folder)/.mirror") }
    guard let made = try read() else { throw FolderError(.folderChanged, folder) }
    return made
  }

  private func write(_ rule: RenameRule) throws(Errno) {
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
      try control.rename(draft, to: control, Self.name, rule)
    } catch {
      try? control.unlink(draft)
      guard error == .exists else { throw error }
    }
    try control.flush()
    try root.flush()
  }
}

extension MirrorFolder {
  /// The identity of the catalog that the folder's marker names; `nil` where it names none.
  package func keptCatalog() throws -> String? {
    try marker.read()?.catalog
  }

  /// The ids of the keys by which the catalog was checked that the folder's marker names; none
  /// where nobody has asked for a signature.
  package func keptKeys() throws -> [String] {
    try marker.read()?.keys ?? []
  }

  /// Has the marker name the catalog that the folder mirrors, and the ids of the keys that it is
  /// checked by. Only under the folder's lock.
  ///
  /// A marker that vanished meanwhile isn't made anew: it tells that the folder did.
  package func keep(catalog: String, keys: [String] = []) throws {
    guard let id else { return }
    try checkMarker()
    try marker.keep(catalog: catalog, keys: keys, with: id)
  }

  private var marker: FolderMarker {
    FolderMarker(root: root, resolver: resolver, folder: ByteString.escape(path))
  }
}

/// Which mirror a folder is: 128 random bits, written into its marker and into its index.
package struct FolderID: Hashable, Sendable {
  /// 32 hexadecimal digits in lower case.
  package let text: String

  package static func random(
    using generator: inout some RandomNumberGenerator
  ) -> FolderID {
    let halves = [generator.next(), generator.next()]
    let text = halves.map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return FolderID(unchecked: text.joined())
  }

  /// An id as the index keeps it; `nil` unless it is 32 hexadecimal digits in lower case.
  package init?(text: String) {
    let digits = Set("0123456789abcdef".utf8)
    guard text.utf8.count == 32, text.utf8.allSatisfy(digits.contains) else { return nil }
    self.text = text
  }

  private init(unchecked text: String) {
    self.text = text
  }

  package var marker: [UInt8] { Self.markerStart + Array("\(text)\n".utf8) }

  static let markerStart = Array("mirror-folder 1\nid ".utf8)

  /// The id that a marker holds; `nil` when it isn't one.
  package init?(marker: [UInt8]) {
    let lines = String(decoding: marker, as: UTF8.self).split(separator: "\n")
    guard lines.count >= 2, lines[0] == "mirror-folder 1", lines[1].hasPrefix("id ") else {
      return nil
    }
    self.init(text: String(lines[1].dropFirst(3)))
  }
}

enum RandomName {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return FolderID.random(using: &generator).text
  }
}
