import SyncText

/// A Debian repository (Debian's wiki, "DebianRepository/Format"): the `InRelease` or `Release`
/// file of a suite, or of a flat repository, and the lists of packages (`Packages`) that it names
/// by their SHA-256.
///
/// Keys are paths below the archive's root. Besides the packages the copy holds the `Release` file
/// itself, with the very digest that was read, and all packed forms of its `Packages`; they come
/// last, so that no index of the copy ever names a file that isn't there. A package that stands in
/// the lists of several architectures is one entry. Lists are read plain, if no other form is
/// listed, or packed by gzip; by the names of their digests where these are offered.
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

  /// Of a suite that isn't there: which address to give.
  func problem(
    ofNothingAt request: CatalogRequest, because reason: String
  ) -> CatalogError? {
    guard request.sha256 == nil, !request.alternatives.isEmpty, let url = URLReference(request.url),
      let here = URLReference("./")?.resolved(against: url)
    else { return nil }
    let parts = here.redacted.split(separator: "/", omittingEmptySubsequences: false)
    let root = parts.lastIndex(of: "dists").map { parts[..<$0] } ?? parts.dropLast()
    return .noSuite(
      url: here.redacted, reason: reason, suite: root.joined(separator: "/") + "/dists/SUITE/")
  }

  func recognises(_ body: CatalogBody) -> Bool {
    let file = body.url.path.split(separator: "/").last
    guard file == "InRelease" || file == "Release" else { return false }
    let head = String(decoding: body.opening, as: UTF8.self)
    return (file == "InRelease") == head.hasPrefix("-----BEGIN PGP SIGNED MESSAGE-----")
      && "\n\(head)".contains("\nSHA256:")
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    if let root = PackagesPart.root(of: body.request) {
      return try PackagesReader(body: body, root: root, format: name).page(limits)
    }
    guard let text = SignedText(body.bytes[body.start...]), let release = ReleaseFile(text),
      let place = ArchivePlace(release: body.url)
    else { throw body.unreadable(expected: .format(name)) }
    if let (field, value) = release.unreadableDate {
      let shown = String(ByteString.escape(value.utf8).prefix(60))
      throw body.unreadable(expected: .format(name), found: .badDate(field: field, value: shown))
    }
    let page = try ReleasePage(
      body: body, text: text, release: release, place: place, format: name
    ).page(of: choice)
    try body.checkCount(page.entries.count, limits)
    return page
  }
}

/// How a list of packages is asked for: with the archive's root, which its own address needn't
/// tell.
enum PackagesPart {
  private static let word = "packages "

  static func request(_ url: String, root: URLReference, of file: ReleaseFile.File)
    -> CatalogRequest
  {
    var request = CatalogRequest(url)
    request.step = word + root.text
    request.isPacked = file.path.suffix(3).elementsEqual(".gz".utf8)
    request.sha256 = file.sha256
    return request
  }

  static func root(of request: CatalogRequest) -> URLReference? {
    guard let step = request.step, step.hasPrefix(word) else { return nil }
    return URLReference(String(step.dropFirst(word.count)))
  }
}
