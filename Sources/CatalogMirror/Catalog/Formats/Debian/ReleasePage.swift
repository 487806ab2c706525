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
    page.repetition = .ofEqualEntries
    (page.header.date, page.header.validUntil) = (release.date, release.validUntil)
    page.remarks = choice.remarks(among: paths)
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
    page.signature = signature
    if !text.isSigned, !body.request.alternatives.isEmpty {
      page.standsFor = CatalogKey(place.suite + "InRelease")
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
    return paths.compactMap { try? place.url(of: $0).text }
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

  private var signature: CatalogPage.Signature {
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
        try KeyPattern(bytes: [UInt8(ascii: "/")] + Self.escaped(key))
      }
    } catch {
      throw body.unreadable(expected: .format(format))
    }
  }

  /// A key as a pattern that fits nothing else.
  private static func escaped(_ key: [UInt8]) -> [UInt8] {
    key.flatMap { byte in
      "*?[]\\! #".utf8.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
    }
  }
}
