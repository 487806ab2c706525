private import SyncSystem
import SyncText

/// What is known of a file's content, which never changes: another picture is another file.
public struct FileFacts: Sendable, Hashable {
  /// The SHA-256 digest of the content, in 64 hexadecimal digits: the file's name among all.
  public let digest: String
  /// How many bytes it has.
  public let size: Int64
  /// What people call it.
  public let name: String
  /// Its media type.
  public let type: String

  package init(digest: String, size: Int64, name: String, type: String) {
    (self.digest, self.size, self.name, self.type) = (digest, size, name, type)
  }
}

/// A file as a member of a document names it, with a preview of a low quality if there is one.
///
/// The member is a list of one object, and the preview says the same of itself:
///
/// ```json
/// [{"file": "sha256:…", "size": 3, "name": "a.png", "type": "image/png", "preview": {…}}]
/// ```
///
/// A type of the program's has such a member as one of this type (``SyncDocument``).
///
/// It's a list since lists are merged as whole values: of an object that two sides changed, merging
/// could make one that has the preview of one file beside the content of another.
public struct FileReference: Sendable, Hashable {
  /// The file itself.
  public let content: FileFacts
  /// The same in a low quality, which travels first.
  public let preview: FileFacts?

  package init(_ content: FileFacts, preview: FileFacts? = nil) {
    (self.content, self.preview) = (content, preview)
  }

  /// The file that a member's value names; `nil` if it names none.
  public init?(_ value: DocumentValue) {
    guard let elements = value.elements, elements.count == 1,
      let content = FileFacts(elements[0])
    else { return nil }
    self.content = content
    preview = elements[0]["preview"].flatMap { FileFacts($0) }
  }

  /// The value of a member that names it.
  public var value: DocumentValue {
    get throws {
      var members = content.members
      if let preview { members.append(("preview", try DocumentValue(members: preview.members))) }
      return try DocumentValue(elements: [DocumentValue(members: members)])
    }
  }

  /// Whether a document may name files, by a look at its text alone.
  static func mayStand(in document: DocumentValue) -> Bool {
    let mark: StaticString = "\"sha256:"
    let before = mark.utf8CodeUnitCount - 1
    return document.json.written.withUnsafeBytes { text in
      // Colons are the rarest of what it consists of.
      var place = 0
      while let start = text.baseAddress, place < text.count,
        let colon = memchr(start + place, 0x3A, text.count - place)
      {
        place = colon - UnsafeMutableRawPointer(mutating: start) + 1
        if place > before, memcmp(colon - before, mark.utf8Start, before) == 0 { return true }
      }
      return false
    }
  }

  /// The files that a document's members name.
  static func all(in document: DocumentValue) -> [FileReference] {
    (document.members ?? []).compactMap { FileReference($0.value) }
  }
}

extension FileFacts {
  private static let scheme = "sha256:"

  fileprivate init?(_ value: DocumentValue) {
    self.init(
      file: value["file"]?.string, size: value["size"]?.integer, name: value["name"]?.string,
      type: value["type"]?.string)
  }

  fileprivate init?(file: String?, size: Int64?, name: String?, type: String?) {
    guard let file, file.hasPrefix(Self.scheme), let size, size >= 0 else { return nil }
    let digest = String(file.dropFirst(Self.scheme.count))
    guard digest.utf8.count == 64, digest.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.init(
      digest: digest, size: size, name: name ?? "file",
      type: type ?? "application/octet-stream")
  }

  fileprivate var file: String { Self.scheme + digest }

  fileprivate var members: [(String, DocumentValue)] {
    [
      ("file", DocumentValue(file)), ("size", DocumentValue(size)),
      ("name", DocumentValue(name)), ("type", DocumentValue(type)),
    ]
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

extension FileReference: Codable {
  private enum Key: String, CodingKey { case file, size, name, type, preview }

  /// From a list of one object, as a member has it.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    let object = try list.nestedContainer(keyedBy: Key.self)
    content = try Self.facts(in: object)
    preview =
      try object.contains(.preview)
      ? Self.facts(in: object.nestedContainer(keyedBy: Key.self, forKey: .preview)) : nil
    guard list.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: list, debugDescription: "more than one file")
    }
  }

  /// As a list of one object.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    var object = list.nestedContainer(keyedBy: Key.self)
    try Self.encode(content, to: &object)
    guard let preview else { return }
    var inner = object.nestedContainer(keyedBy: Key.self, forKey: .preview)
    try Self.encode(preview, to: &inner)
  }

  private static func facts(in object: KeyedDecodingContainer<Key>) throws -> FileFacts {
    let facts = FileFacts(
      file: try object.decode(String.self, forKey: .file),
      size: try object.decode(Int64.self, forKey: .size),
      name: try object.decodeIfPresent(String.self, forKey: .name),
      type: try object.decodeIfPresent(String.self, forKey: .type))
    guard let facts else {
      throw DecodingError.dataCorruptedError(
        forKey: .file, in: object, debugDescription: "it names no file by its digest")
    }
    return facts
  }

  private static func encode(
    _ facts: FileFacts, to object: inout KeyedEncodingContainer<Key>
  ) throws {
    try object.encode(facts.file, forKey: .file)
    try object.encode(facts.size, forKey: .size)
    try object.encode(facts.name, forKey: .name)
    try object.encode(facts.type, forKey: .type)
  }
}

/// Media types by the endings of names.
enum FileTypes {
  private static let known = [
    "avif": "image/avif", "bmp": "image/bmp", "css": "text/css", "csv": "text/csv",
    "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "html": "text/html",
    "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json", "m4a": "audio/mp4",
    "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
    "txt": "text/plain", "wav": "audio/wav", "webp": "image/webp", "xml": "application/xml",
    "zip": "application/zip",
  ]

  /// The type; that of mere bytes where the ending says none.
  static func type(ofName name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return unknown }
    return known[String(name[name.index(after: dot)...]).asciiLowercased] ?? unknown
  }

  private static let unknown = "application/octet-stream"
}
