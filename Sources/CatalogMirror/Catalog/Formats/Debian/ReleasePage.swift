import SyncText

/// What a `Release` file makes of the listing: itself, the lists of packages as files, and the
/// requests for what they say.
struct ReleasePage {
  let body: CatalogBody
  let text: SignedText
  let release: ReleaseFile
  let place: ArchivePlace
  let format: CatalogFormatName

  func page(of choice: RepositoryChoice) throws(CatalogError) -> CatalogPage {
    let lists = release.packages(of: choice)
    let paths = release.files.filter(\.isPackages).map(\.path)
    guard !lists.isEmpty else {
      throw body.unreadable(
        expected: .format(format), found: choice.problem(ofNoneAmong: paths))
    }
    var page = CatalogPage(format: format, claim: .whole)
    page.terms.repetition = .ofEqualEntries
    (page.header.date, page.header.validUntil) = (release.date, release.validUntil)
    page.notes.remarks = choice.remarks(among: paths)
    for (_, forms) in lists {
      // Of a list that is there in a packed form, the plain one is often listed and not there.
      let packed = forms.filter { $0.path.count > $0.stem.count }
      let held = packed.isEmpty ? forms : packed
      for file in held { page.take(entry(file), at: page.count + 1) }
      try ask(for: forms, into: &page)
    }
    let own = entryOfItself
    page.take(own, at: page.count + 1)
    page.last = try last(lists.flatMap(\.forms), own)
    page.terms.signature = signature
    if !text.isSigned, !body.request.alternatives.isEmpty {
      page.terms.standsFor = CatalogKey(place.suite + "InRelease")
    }
    return page
  }

  /// Asks for one form of a list that can be read. An empty one says nothing.
  private func ask(
    for forms: [ReleaseFile.File], into page: inout CatalogPage
  ) throws(CatalogError) {
    let plain = forms.first { $0.path.count == $0.stem.count }
    guard plain?.size != 0 else { return }
    let packed = forms.first { $0.path.suffix(3).elementsEqual(".gz".utf8) }
    guard let chosen = packed ?? plain else {
      throw body.unreadable(expected: .format(format), found: .noPackages)
    }
    let urls = urls(of: chosen)
    guard let url = urls.first else { return }
    var request = PackagesPart.request(url, root: place.root, of: chosen)
    request.alternatives = Array(urls.dropFirst())
    page.parts.append(request)
  }

  private func entry(_ file: ReleaseFile.File) -> ListedEntry {
    let key = CatalogKey(bytes: Array(place.suite.utf8) + file.path)
    let urls = urls(of: file)
    guard !urls.isEmpty else {
      return .unusable(UnusableEntry(position: 0, key: key, problem: .locator(.notAURL)))
    }
    var entry = CatalogEntry(key: key, locators: urls, version: .digest(file.sha256))
    entry.size = file.size
    entry.sha256 = file.sha256
    return .entry(entry, settled: true)
  }

  /// By the name of its digest first, which no other state of the list ever has.
  private func urls(of file: ReleaseFile.File) -> [String] {
    let path = Array(place.suite.utf8) + file.path
    let directory = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? []
    let byDigest = Array(directory) + Array("by-hash/SHA256/\(file.sha256)".utf8)
    let paths = release.offersNamesByDigest ? [byDigest, path] : [path]
    return paths.compactMap { place.url(of: $0)?.text }
  }

  private var entryOfItself: ListedEntry {
    let key = CatalogKey(place.suite + (text.isSigned ? "InRelease" : "Release"))
    let url = body.url.text
    guard let digest = body.sha256 else {
      return .entry(CatalogEntry(key: key, locators: [url]), settled: false)
    }
    var entry = CatalogEntry(key: key, locators: [url], version: .digest(digest))
    entry.sha256 = digest
    entry.size = Int64(body.bytes.count)
    return .entry(entry, settled: true)
  }

  private var signature: PageTerms.Signature {
    guard !text.isSigned else { return .inClear }
    let url = URLReference("./Release.gpg")?.resolved(against: body.url.withoutQuery).text
    return .beside(CatalogRequest(url ?? ""), key: CatalogKey(place.suite + "Release.gpg"))
  }

  /// The lists, then what names them.
  private func last(
    _ files: [ReleaseFile.File], _ own: ListedEntry
  ) throws(CatalogError) -> [KeyPattern] {
    let lists = place.suite.isEmpty ? files.map(\.path) : [Array(place.suite.utf8)]
    let names = ["Release", "Release.gpg", "InRelease"].map { Array((place.suite + $0).utf8) }
    do throws(PatternProblem) {
      return try (lists + names).map { key throws(PatternProblem) in
        try KeyPattern(bytes: KeyPattern.text(of: key))
      }
    } catch {
      throw body.unreadable(expected: .format(format))
    }
  }
}

/// What a `Release` file says of a repository (Debian's wiki, "DebianRepository/Format", section
/// "Release files").
struct ReleaseFile {
  struct File: Equatable {
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
    guard text.endsWithNewline, let paragraph = control.paragraph(), control.paragraph() == nil,
      control.brokenLine == nil, let rows = paragraph.rows("SHA256")
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

struct ArchivePlace {
  /// The archive's root, to which paths of packages are relative: a URL that ends with a slash.
  let root: URLReference
  /// What stands before the keys of the suite's files: `dists/stable/`, or nothing in a flat
  /// repository.
  let suite: String

  /// The place of a `Release` or `InRelease` file; `nil` when its path can't be taken apart.
  init?(release url: URLReference) {
    let path = url.path
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let directory = path[...slash]
    let dists = directory.ranges(of: "/dists/").last
    let start = dists.map { path.index(after: $0.lowerBound) } ?? path.index(after: slash)
    let below = String(directory[start...])
    guard let name = PercentEncoding.decode(below),
      let suite = String(validating: name, as: UTF8.self),
      let here = URLReference("./")
    else { return nil }
    self.suite = suite
    var root = here.resolved(against: url.withoutQuery)
    for _ in below.split(separator: "/") {
      guard let up = URLReference("../") else { return nil }
      root = up.resolved(against: root)
    }
    self.root = root
  }

  /// The URL of a file at a path below the root, without empty steps.
  func url(of path: [UInt8]) -> URLReference? {
    URLReference("./" + PercentEncoding.encode(path: path))?.resolved(against: root)
  }
}
