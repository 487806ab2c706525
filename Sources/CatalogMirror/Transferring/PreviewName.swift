import SyncText

/// The file name of an item's preview: the hash of the key, and the extension of the media
/// type, so that any program shows it and no key can shape it.
enum PreviewName {
  /// A name: 64 hexadecimal digits, and an extension of at most 8 letters or digits where one is
  /// known.
  static func make(for key: CatalogKey, mediaType: String?, url: String) -> String {
    make(for: key, extension: mediaType.flatMap({ extensions[$0] }) ?? fileExtension(of: url))
  }

  /// As ``make(for:mediaType:url:)``, of a preview with the bytes of another one, whose name it is.
  static func make(for key: CatalogKey, like name: String) -> String {
    let known = name.drop { $0 != "." }.dropFirst()
    return make(for: key, extension: known.isEmpty ? nil : String(known))
  }

  private static func make(for key: CatalogKey, extension known: String?) -> String {
    let digest = SHA256Digest(of: key.bytes).description
    return known.map { "\(digest).\($0)" } ?? digest
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
