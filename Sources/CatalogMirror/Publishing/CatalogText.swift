package import SyncFolder
package import SyncText

/// A regular file of the folder, hashed.
package struct PublishedFile: Hashable, Sendable {
  /// Where it lies below the folder.
  package var path: RelativePath
  /// In bytes.
  package var size: Int64
  /// Whole seconds since 1970.
  package var modified: Int
  /// The digest of its bytes.
  package var digest: SHA256Digest

  /// A file from its parts.
  package init(path: RelativePath, size: Int64, modified: Int, digest: SHA256Digest) {
    self.path = path
    self.size = size
    self.modified = modified
    self.digest = digest
  }
}

/// An entry to be written.
package struct PublishedEntry: Hashable, Sendable {
  /// The item.
  package var file: PublishedFile
  /// Its preview, if it has one.
  package var preview: PublishedFile?

  /// An entry from its parts.
  package init(file: PublishedFile, preview: PublishedFile? = nil) {
    self.file = file
    self.preview = preview
  }
}

/// The text of a catalog: NDJSON of format 1, the same bytes for the same entries.
package struct CatalogText {
  /// A name of the catalog, for people.
  package var title: String?
  /// What relative URLs start from.
  package var base: String?
  /// In the order in which they are written.
  package var entries: [PublishedEntry]

  /// A text of these entries.
  package init(title: String? = nil, base: String? = nil, entries: [PublishedEntry]) {
    self.title = title
    self.base = base
    self.entries = entries
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    var body: [UInt8] = []
    for entry in entries { body += line(of: entry).utf8 }
    var hasher = SHA256Hasher()
    body.withUnsafeBytes { hasher.update($0) }
    return Array(header(revision: hasher.finish()).utf8) + body
  }

  private func header(revision: SHA256Digest) -> String {
    var fields = ["\"catalog\":1"]
    if let title { fields.append("\"title\":" + JSONValue.quote(title)) }
    fields.append("\"revision\":\"\(revision)\"")
    fields.append("\"count\":\(entries.count)")
    fields.append("\"complete\":true")
    if let base { fields.append("\"base\":" + JSONValue.quote(base)) }
    return "{" + fields.joined(separator: ",") + "}\n"
  }

  private func line(of entry: PublishedEntry) -> String {
    let file = entry.file
    var fields = [
      "\"key\":" + JSONValue.quote(file.path.string), "\"size\":\(file.size)",
      "\"sha256\":\"\(file.digest)\"",
    ]
    // What lies beyond the years 0 to 9999 has no RFC 3339 form.
    if (-62_167_219_200..<253_402_300_800).contains(file.modified) {
      let date = CivilTime.rfc3339(secondsSince1970: file.modified)
      fields.append("\"modified\":\"\(date)\"")
    }
    if let preview = entry.preview {
      let url = URLReference.encodePath(preview.path.bytes)
      fields.append(
        "\"preview\":{\"url\":\"./\(url)\",\"size\":\(preview.size),"
          + "\"sha256\":\"\(preview.digest)\"}")
    }
    return "{" + fields.joined(separator: ",") + "}\n"
  }
}

extension JSONValue {
  /// `text` as a JSON string (RFC 8259, section 7).
  static func quote(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\u{0}"..<" ": output += "\\u00" + Hexadecimal.upper(UInt8(scalar.value))
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }
}
