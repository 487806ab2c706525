import SyncText

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
