import SyncText

/// The name of a file for an item that its publisher calls by an identifier: a number, a URN, an
/// address or anything else.
enum ItemName {
  /// A name of letters, digits, dots, hyphens and underscores, the same for the same identifier.
  /// Where it isn't the identifier itself, a part of that one's digest keeps it from others'.
  static func of(_ identifier: String) -> String {
    var name: [UInt8] = []
    for byte in withoutScheme(identifier).utf8 {
      let isPlain = byte.isLetterOrDigit || "-._".utf8.contains(byte) || byte >= 0x80
      if isPlain, !(name.isEmpty && ".-".utf8.contains(byte)) {
        name.append(byte)
      } else if let last = name.last, last != UInt8(ascii: "-") {
        name.append(UInt8(ascii: "-"))
      }
    }
    let text = String(decoding: name, as: UTF8.self)
    let isWhole = !text.isEmpty && text.utf8.elementsEqual(identifier.utf8)
    if isWhole, text.utf8.count <= longest, !endsAsAFile(text) { return text }
    let digest = SHA256Digest(of: identifier.utf8).description.prefix(12)
    return (text.isEmpty ? "" : cut(text) + "-") + digest
  }

  private static let longest = 120

  /// Whether a name ends as those of files do (``FileNumbering``), so that another item's second
  /// file, or its only one, could have it.
  private static func endsAsAFile(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let end = name[name.index(after: dot)...].lowercased()
    let isNumber = Int(end).map { (2...FileNumbering.most).contains($0) } ?? false
    return isNumber || MediaExtension.all.contains(end)
  }

  private static func withoutScheme(_ identifier: String) -> Substring {
    for prefix in ["https://", "http://", "urn:", "tag:"] where identifier.hasPrefix(prefix) {
      return identifier.dropFirst(prefix.count)
    }
    return identifier[...]
  }

  /// As much of a text as is short enough, in whole characters.
  private static func cut(_ text: String) -> String {
    var short = Substring(text)
    while short.utf8.count > longest || short.hasSuffix("-") { short.removeLast() }
    return String(short)
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}

/// The extension of a file's name, by what its publisher says that it holds.
enum MediaExtension {
  /// The extension of a media type or, where that isn't known, of the address; only one of those
  /// that are known, with its dot; empty where none is.
  static func of(type: String?, url: String) -> String {
    let type = type?.split(separator: ";").first.map {
      String($0).withoutOuterWhitespace.lowercased()
    }
    if let known = type.flatMap({ byType[$0] }) { return "." + known }
    guard let path = URLReference(url)?.path, let dot = path.lastIndex(of: ".") else { return "" }
    let text = path[path.index(after: dot)...].lowercased()
    return all.contains(text) ? "." + text : ""
  }

  private static let byType = [
    "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/x-m4a": "m4a",
    "audio/m4a": "m4a", "audio/aac": "aac", "audio/ogg": "ogg", "audio/opus": "opus",
    "audio/flac": "flac", "audio/wav": "wav", "audio/x-wav": "wav", "video/mp4": "mp4",
    "video/x-m4v": "m4v", "video/quicktime": "mov", "video/webm": "webm", "video/ogg": "ogv",
    "video/mpeg": "mpg", "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif",
    "image/webp": "webp", "image/svg+xml": "svg", "image/tiff": "tiff", "text/html": "html",
    "application/xhtml+xml": "xhtml", "text/plain": "txt", "text/csv": "csv",
    "application/json": "json", "application/xml": "xml", "text/xml": "xml",
    "application/pdf": "pdf", "application/epub+zip": "epub", "application/epub": "epub",
    "application/x-mobipocket-ebook": "mobi", "application/vnd.amazon.ebook": "azw",
    "application/x-mobi8-ebook": "azw3", "application/vnd.comicbook+zip": "cbz",
    "application/x-cbz": "cbz", "application/vnd.comicbook-rar": "cbr", "application/x-cbr": "cbr",
    "application/audiobook+zip": "audiobook", "image/vnd.djvu": "djvu", "text/rtf": "rtf",
    "application/rtf": "rtf", "application/x-fictionbook+xml": "fb2", "application/zip": "zip",
    "application/gzip": "gz", "application/x-gzip": "gz", "application/x-tar": "tar",
    "application/x-bittorrent": "torrent", "application/x-sqlite3": "sqlite",
  ]

  static let all = Set(byType.values).union(["bz2", "xz", "zst", "7z", "iso", "deb", "rpm", "jpeg"])
}
