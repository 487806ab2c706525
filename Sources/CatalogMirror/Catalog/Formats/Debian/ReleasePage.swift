import SyncText

/// What a `Release` file makes of the listing: itself, the indices that clients ask for as files,
/// and the requests for what some of them say.
struct ReleasePage {
  let body: CatalogBody
  let text: SignedText
  let release: ReleaseFile
  let place: ArchivePlace
  let format: CatalogFormatName

  func page(of choice: RepositoryChoice) throws(CatalogError) -> CatalogPage {
    let all = release.indices(of: RepositoryChoice()).map(\.place).filter(\.isList)
    guard all.contains(where: choice.holds) else {
      throw body.unreadable(
        expected: .format(format), found: choice.problem(ofNoneAmong: all))
    }
    var page = CatalogPage(format: format, claim: .whole)
    (page.header.date, page.header.validUntil) = (release.date, release.validUntil)
    page.notes.remarks = choice.remarks(among: all)
    let indices = release.indices(of: choice)
    for index in indices { page.forms.append(try forms(of: index)) }
    page.take(entryOfItself, at: page.count + 1)
    page.last = try last(indices.flatMap(\.forms))
    page.terms.signature = signature
    if !text.isSigned, !body.request.alternatives.isEmpty {
      page.terms.standsFor = CatalogKey(place.suite + "InRelease")
    }
    return page
  }

  /// Of an index that is there in a packed form, the plain one is often listed and not there. An
  /// empty list says nothing.
  private func forms(of index: ReleaseFile.Index) throws(CatalogError) -> ListedForms {
    let packed = index.packed
    var listed = ListedForms(isOptional: index.place.isOfDifferences)
    listed.isRead =
      index.place.isOfDifferences || index.place.isList && index.plain?.size != 0
    let order = ["gz", "xz", ""].compactMap { index.form($0) }
    for file in order + index.forms.filter({ !order.contains($0) }) {
      listed.forms.append(
        ListedForms.Form(
          entries: entries(file), isSpare: !packed.isEmpty && !packed.contains(file),
          reading: listed.isRead ? request(of: file, in: index.place) : nil))
    }
    guard !listed.isRead || listed.forms.contains(where: { $0.reading != nil }) else {
      throw body.unreadable(
        expected: .format(format), found: .packedOtherwise(listed.packings))
    }
    return listed
  }

  /// How a form of an index is read; `nil` for one that can't be.
  private func request(
    of file: ReleaseFile.File, in index: IndexPlace
  ) -> CatalogRequest? {
    let packing = IndexPlace.packing(of: file.path)
    let urls = urls(of: file)
    guard let url = urls.first, packing.isEmpty || CatalogRequest.Packing(rawValue: packing) != nil
    else { return nil }
    var request = CatalogRequest(url)
    request.alternatives = Array(urls.dropFirst())
    request.packing = CatalogRequest.Packing(rawValue: packing)
    (request.size, request.sha256) = (file.size, file.sha256)
    let part =
      index.isOfDifferences
      ? RepositoryPart.differences(in: directory(of: file), root: place.root)
      : .packages(root: place.root)
    request.step = part.step
    return request
  }

  private func directory(of file: ReleaseFile.File) -> [UInt8] {
    let path = Array(place.suite.utf8) + file.path
    return path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? []
  }

  /// A file, and the same by the names of its digests, where these are offered: clients ask by the
  /// strongest that the `Release` has.
  private func entries(_ file: ReleaseFile.File) -> [ListedEntry] {
    let path = Array(place.suite.utf8) + file.path
    guard release.offersNamesByDigest else { return [entry(file, at: path)] }
    let names = ["SHA256/\(file.sha256)"] + (file.sha512.map { ["SHA512/\($0)"] } ?? [])
    return [entry(file, at: path)]
      + names.map { entry(file, at: directory(of: file) + Array("by-hash/\($0)".utf8)) }
  }

  private func entry(_ file: ReleaseFile.File, at path: [UInt8]) -> ListedEntry {
    let key = CatalogKey(bytes: path)
    let urls = urls(of: file)
    guard !urls.isEmpty else {
      return .unusable(UnusableEntry(position: 0, key: key, problem: .locator(.notAURL)))
    }
    var entry = CatalogEntry(key: key, locators: urls, version: .digest(file.sha256))
    entry.size = file.size
    entry.sha256 = file.sha256
    return .entry(entry, settled: true)
  }

  /// By the name of its digest first, which no other state of the index ever has.
  private func urls(of file: ReleaseFile.File) -> [String] {
    let path = Array(place.suite.utf8) + file.path
    let byDigest = directory(of: file) + Array("by-hash/SHA256/\(file.sha256)".utf8)
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

  /// The indices, then what names them.
  private func last(_ files: [ReleaseFile.File]) throws(CatalogError) -> [KeyPattern] {
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
