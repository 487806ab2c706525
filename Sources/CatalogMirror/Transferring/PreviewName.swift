import SyncText

/// The file name of an item's preview: the hash of the key, and the extension of the media
/// type, so that any program shows it and no key can shape it.
enum PreviewName {
  /// A name: 64 hexadecimal digits, and an extension of at most 8 letters or digits where one is
  /// known.
  static func make(for key: CatalogKey, mediaType: String?, url: String) -> String {
    var hasher = SHA256Hasher()
    key.bytes.withUnsafeBytes { hasher.update($0) }
    let digest = hasher.finish().description
    guard let known = mediaType.flatMap({ extensions[$0] }) ?? fileExtension(of: url) else {
      return digest
    }
    return "\(digest).\(known)"
  }

  static func isOne(_ name: String) -> Bool {
    let digits = name.prefix { $0 != "." }
    return digits.utf8.count == 64 && SHA256Digest(hexadecimal: String(digits)) != nil
  }

  private static let extensions = [
    "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp",
    "image/avif": "avif", "image/svg+xml": "svg", "image/bmp": "bmp", "image/tiff": "tiff",
    "video/mp4": "mp4", "video/webm": "webm", "audio/mpeg": "mp3", "audio/ogg": "ogg",
    "application/pdf": "pdf", "text/plain": "txt", "text/html": "html",
    "application/json": "json",
  ]

  private static func fileExtension(of url: String) -> String? {
    guard let path = URLReference(url)?.path, let dot = path.lastIndex(of: ".") else { return nil }
    let text = path[path.index(after: dot)...].lowercased()
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isPlain && (1...8).contains(text.utf8.count) ? text : nil
  }
}
