import SyncText

/// A Debian repository (Debian's wiki, "DebianRepository/Format"): the `InRelease` or `Release`
/// file of a suite, or of a flat repository, and the lists of packages (`Packages`) that it names
/// by their SHA-256.
///
/// Keys are paths below the archive's root. Besides the packages the copy holds the `Release` file
/// itself, with the very digest that was read, and what clients ask for of what it names: the lists
/// of packages, translations, contents, descriptions, and what has changed in each; all packed
/// forms that are there, also by the names of their digests where these are offered. They come
/// last, so that no index of the copy ever names a file that isn't there. A package that stands in
/// the lists of several architectures is one entry. Lists are read packed by gzip or xz, or plain
/// where no other form is there.
///
/// Complete when all lists were read, each with its digest. A `Release` that isn't signed in clear
/// can be cut between two lines of its only list unnoticed: then the server's word for its end
/// counts.
struct DebianFormat: CatalogFormat {
  let name = CatalogFormatName.debian
  let noun = "a Debian repository"
  private let choice: RepositoryChoice

  init(_ choice: RepositoryChoice = RepositoryChoice()) {
    self.choice = choice
  }

  /// The address of a suite is that of its `InRelease`, or of its `Release` where it has no other.
  func firstRequest(to catalog: URLReference) -> CatalogRequest {
    let file = catalog.path.split(separator: "/").last
    guard file != "InRelease", file != "Release" else { return CatalogRequest(catalog.text) }
    let suite = catalog.path.hasSuffix("/") ? "./" : "./\(file ?? "")/"
    let urls = ["InRelease", "Release"].map { name in
      URLReference(suite + name)?.resolved(against: catalog).text ?? catalog.text
    }
    var request = CatalogRequest(urls[0])
    request.alternatives = [urls[1]]
    return request
  }

  /// Of a suite that isn't there: which address to give. Of a list: that no form of it is there.
  func problem(
    ofNothingAt request: CatalogRequest, because reason: String
  ) -> CatalogError? {
    if request.sha256 != nil {
      let shown = URLReference(request.alternatives.last ?? request.url)?.redacted ?? ""
      return .noIndex(url: shown, reason: reason)
    }
    guard !request.alternatives.isEmpty, let url = URLReference(request.url),
      let here = URLReference("./")?.resolved(against: url)
    else { return nil }
    let parts = here.redacted.split(separator: "/", omittingEmptySubsequences: false)
    let root = parts.lastIndex(of: "dists").map { parts[..<$0] } ?? parts.dropLast()
    return .noSuite(
      url: here.redacted, reason: reason, suite: root.joined(separator: "/") + "/dists/SUITE/")
  }

  /// Whether a file bears the name of its own digest, under which no other state of it ever comes.
  static func isNamedByDigest(_ key: CatalogKey) -> Bool {
    let names = key.bytes.split(separator: UInt8(ascii: "/")).suffix(3)
    return names.count == 3 && names.first.map { $0.elementsEqual("by-hash".utf8) } ?? false
  }

  func recognises(_ body: CatalogBody) -> Bool {
    let file = body.url.path.split(separator: "/").last
    guard file == "InRelease" || file == "Release" else { return false }
    let head = String(decoding: body.opening, as: UTF8.self)
    return (file == "InRelease") == head.hasPrefix("-----BEGIN PGP SIGNED MESSAGE-----")
      && "\n\(head)".contains("\nSHA256:")
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    switch RepositoryPart(body.request) {
    case .packages(let root):
      return try PackagesReader(body: body, root: root, format: name).page(limits)
    case .differences(let directory, let root):
      return try DifferencesReader(
        body: body, directory: directory, root: root, format: name
      ).page(limits)
    case nil: break
    }
    guard let text = SignedText(body.bytes[body.start...]), let release = ReleaseFile(text),
      let place = ArchivePlace(release: body.url)
    else { throw body.unreadable(expected: .format(name), found: ReleaseFile.problem(in: body)) }
    if body.url.scheme == "file", !place.suite.isEmpty {
      throw body.unreadable(expected: .format(name), found: .packagesOutside)
    }
    if let (field, value) = release.unreadableDate {
      let shown = String(ByteString.escape(value.utf8).prefix(60))
      throw body.unreadable(expected: .format(name), found: .badDate(field: field, value: shown))
    }
    let page = try ReleasePage(
      body: body, text: text, release: release, place: place, format: name
    ).page(of: choice)
    let forms = page.forms.reduce(0) { $0 + $1.forms.count }
    try body.checkCount(page.entries.count + forms, limits)
    return page
  }
}

/// Which part of a repository is asked for by a request, with what its own address needn't tell.
enum RepositoryPart {
  /// A list of packages, in the archive of this root.
  case packages(root: URLReference)
  /// What has changed in an index: the files that lie in this directory, as seen from the root.
  case differences(in: [UInt8], root: URLReference)

  private static let words = (packages: "packages ", differences: "differences ")

  /// The part as a request bears it.
  var step: String {
    switch self {
    case .packages(let root): Self.words.packages + root.text
    case .differences(let directory, let root):
      Self.words.differences + PercentEncoding.encode(path: directory) + " " + root.text
    }
  }

  init?(_ request: CatalogRequest) {
    guard let step = request.step, let place = step.firstIndex(of: " ") else { return nil }
    let rest = step[step.index(after: place)...].split(separator: " ").map(String.init)
    guard let root = rest.last.flatMap({ URLReference($0) }) else { return nil }
    switch (String(step[...place]), rest.count) {
    case (Self.words.packages, 1): self = .packages(root: root)
    case (Self.words.differences, 2):
      guard let directory = PercentEncoding.decode(rest[0]) else { return nil }
      self = .differences(in: directory, root: root)
    default: return nil
    }
  }
}
