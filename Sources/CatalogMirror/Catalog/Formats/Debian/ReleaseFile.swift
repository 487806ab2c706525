import SyncText

/// What a `Release` file says of a repository (Debian's wiki, "DebianRepository/Format", section
/// "Release files").
struct ReleaseFile {
  struct File: Equatable {
    /// The path, as seen from the file's own directory.
    var path: [UInt8]
    var size: Int64
    var sha256: SHA256Digest

    /// The path without what follows the dot of its last name, such as `main/binary-all/Packages`.
    var stem: ArraySlice<UInt8> {
      let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let dot = path[name...].firstIndex(of: UInt8(ascii: "."))
      return path[..<(dot ?? path.count)]
    }

    var isPackages: Bool {
      stem == Array("Packages".utf8)[...] || stem.suffix(9).elementsEqual("/Packages".utf8)
    }
  }

  /// The files of the list by SHA-256.
  let files: [File]
  /// Whether each file of a list is also there under the name of its digest.
  let offersNamesByDigest: Bool
  /// When it was made and until when it may be taken, in seconds since 1970; `nil` where it doesn't
  /// say.
  let (date, validUntil): (Int64?, Int64?)
  /// Which of these it has and nobody can read, and what stands there.
  let unreadableDate: (field: String, value: String)?

  /// `nil` for text that isn't a `Release` file, or not all of one.
  init?(_ text: SignedText) {
    var control = ControlText(Array(text.lines.joined(separator: [UInt8(ascii: "\n")]))[...])
    guard text.endsWithNewline, let paragraph = try? control.paragraph(),
      Self.isAtEnd(&control), let rows = paragraph.rows("SHA256")
    else { return nil }
    // Each list names the same files: one that was cut has fewer.
    for other in ["MD5Sum", "SHA1", "SHA512"] as [StaticString] {
      guard paragraph.rows(other).map({ $0.count == rows.count }) ?? true else { return nil }
    }
    var files: [File] = []
    for row in rows {
      guard row.count == 3, let size = Int64(String(decoding: row[1], as: UTF8.self)), size >= 0,
        let digest = ContentDigest(.sha256, hexadecimal: row[0])?.sha256
      else { return nil }
      let path = row[2].starts(with: "./".utf8) ? row[2].dropFirst(2) : row[2]
      files.append(File(path: Array(path), size: size, sha256: digest))
    }
    self.files = files
    date = Self.date(paragraph, "Date")
    validUntil = Self.date(paragraph, "Valid-Until")
    unreadableDate = (["Valid-Until", "Date"] as [StaticString]).first {
      paragraph[$0] != nil && Self.date(paragraph, $0) == nil
    }.map { ("\($0)", paragraph.text($0) ?? "") }
    offersNamesByDigest = paragraph.text("Acquire-By-Hash") == "yes"
  }

  private static func date(_ paragraph: ControlText.Paragraph, _ name: StaticString) -> Int64? {
    paragraph.text(name).flatMap(CivilTime.mail).flatMap { Int64(exactly: $0.rounded(.down)) }
  }

  private static func isAtEnd(_ control: inout ControlText) -> Bool {
    do throws(ControlText.Problem) {
      return try control.paragraph() == nil
    } catch {
      return false
    }
  }

  func packages(of choice: RepositoryChoice) -> [(stem: ArraySlice<UInt8>, forms: [File])] {
    var order: [ArraySlice<UInt8>] = []
    var forms: [ArraySlice<UInt8>: [File]] = [:]
    for file in files where file.isPackages && choice.holds(file.path) {
      if forms[file.stem] == nil { order.append(file.stem) }
      forms[file.stem, default: []].append(file)
    }
    return order.map { ($0, forms[$0] ?? []) }
  }
}
