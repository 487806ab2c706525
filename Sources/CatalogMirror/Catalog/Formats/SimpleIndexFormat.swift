import SyncText

/// The Python packages' "simple" repository API, in HTML or JSON: a project's page with its files,
/// or the index of all projects.
///
/// Its specification is "Simple repository API" of the Python Packaging User Guide
/// (packaging.python.org), after PEP 503, 592, 691 and 700. Pages say nothing of further ones, and
/// a page that came to its end is whole. The index, whose links all lead to directories, leads to a
/// page a project, each a directory of the project's name: filters choose which are asked for.
/// Files that were yanked are mirrored, bear that in their title, and are told. Files of metadata
/// that an index gives beside (PEP 658) aren't mirrored.
struct SimpleIndexFormat: CatalogFormat {
  let name = CatalogFormatName.simpleIndex
  let noun = "a page of a Python package index"

  func recognises(_ body: CatalogBody) -> Bool {
    if let type = body.mediaType, type.hasPrefix("application/vnd.pypi.simple.") { return true }
    return body.kind == .html && saysSo(body)
  }

  /// Whether a page says what it is; those of servers between often have only the title and the
  /// digests.
  private func saysSo(_ body: CatalogBody) -> Bool {
    let text = String(decoding: body.opening, as: UTF8.self)
    return text.contains("pypi:repository-version")
      || text.contains("<title>Links for ") && text.contains("#sha256=")
  }

  func firstRequest(to catalog: URLReference) -> CatalogRequest {
    Self.request(catalog.text)
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let isJSON = body.opening.first == UInt8(ascii: "{")
    return isJSON ? try readJSON(body, limits) : try readHTML(body, limits)
  }

  /// JSON says more, and not every index has it.
  private static func request(_ url: String) -> CatalogRequest {
    var request = CatalogRequest(url)
    let accepted = """
      application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, \
      text/html;q=0.1
      """
    request.fields = [.init("Accept", accepted)]
    return request
  }

  static func directory(_ project: String, at url: String) -> CatalogPage.Subdirectory {
    .init(request(url), name: Array(project.utf8))
  }

  private func readJSON(
    _ body: CatalogBody, _ limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let document = try body.json(expected: name, limits)
    let version = document["meta"]?["api-version"]?.string
    guard version?.hasPrefix("1.") ?? false, let list = document["files"] ?? document["projects"],
      list.isArray
    else { throw body.unreadable(expected: .format(name)) }
    if list.holds(moreThan: limits.entries) {
      throw .limit(url: body.url.redacted, .entries, most: limits.entries)
    }
    var page = CatalogPage(format: name, claim: .whole)
    page.header.title = document["name"]?.string
    let isProject = document["files"] != nil
    for (index, element) in (list.elements ?? []).enumerated() {
      if isProject {
        IndexedFile(json: element).add(to: &page, body, at: index + 1)
      } else if let project = element["name"]?.string, let safe = Self.normalized(project) {
        let url = body.url.appending(encodedName: safe + "/").text
        page.subdirectories.append(Self.directory(safe, at: url))
      } else {
        throw body.unreadable(expected: .format(name))
      }
    }
    return page
  }

  private func readHTML(
    _ body: CatalogBody, _ limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    guard HTMLEnding(of: body.bytes).isWhole else {
      throw body.unreadable(expected: .format(name), found: body.kind == .html ? .cutPage : nil)
    }
    let links = IndexLinks(of: body, most: limits.entries, CatalogPage(format: name, claim: .whole))
    let read = HTMLReader.read(body.bytes, in: .init(of: body.bytes), by: links)
    guard let (html, index) = read, html.outline.isClosed else {
      throw body.unreadable(expected: .format(name))
    }
    try body.checkCount(index.count, limits)
    guard saysSo(body) || index.count > 0 && index.areAllNamed, let page = index.page else {
      throw body.unreadable(expected: .format(name))
    }
    return page
  }

  /// A project's name as addresses have it ("Names and normalization"); `nil` for what is none.
  static func normalized(_ name: String) -> String? {
    var normal = ""
    for scalar in name.unicodeScalars {
      if "-_.".unicodeScalars.contains(scalar) {
        if normal.last != "-" { normal.append("-") }
      } else if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
        normal.append(Character(scalar))
      } else {
        return nil
      }
    }
    let trimmed = normal.lowercased()
    return trimmed.isEmpty || trimmed.hasPrefix("-") || trimmed.hasSuffix("-") ? nil : trimmed
  }
}

/// Reads the links of a page that lists files, or the pages of projects.
private struct IndexLinks: HTMLListReader {
  let lists: [HTMLName: HTMLParts] = [.a: .itself]
  private let body: CatalogBody
  private let most: Int
  private(set) var count = 0
  /// Whether all links show what they lead to.
  private(set) var areAllNamed = true
  private var directories = 0
  /// Whether one leads to a directory that is no project's.
  private var isForeign = false
  private var listed: CatalogPage

  init(of body: CatalogBody, most: Int, _ page: CatalogPage) {
    self.body = body
    self.most = most
    listed = page
  }

  /// The page; `nil` where it leads to files and to directories, or to what is no project.
  var page: CatalogPage? {
    directories == 0 || directories == count && !isForeign ? listed : nil
  }

  mutating func take(_ link: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {
    let anchor = IndexAnchor(link)
    count += 1
    areAllNamed = areAllNamed && Self.isNamedByItsAddress(anchor)
    let isDirectory = anchor.path?.hasSuffix("/") ?? false
    if isDirectory { directories += 1 }
    guard count <= most, directories == 0 || directories == count else { return }
    let base = facts.base.flatMap { URLReference(written: $0.withoutOuterWhitespace) }?
      .resolved(against: body.url)
    if isDirectory {
      take(anchor, from: base ?? body.url)
    } else {
      IndexedFile(html: anchor).add(to: &listed, body, base: base, at: count)
    }
  }

  private mutating func take(_ anchor: IndexAnchor, from base: URLReference) {
    guard let project = SimpleIndexFormat.normalized(anchor.text), let href = anchor.href,
      let url = URLReference(href)?.resolved(against: base)
    else { return isForeign = true }
    listed.subdirectories.append(SimpleIndexFormat.directory(project, at: url.text))
  }

  /// Whether a link shows what it leads to, as all of an index do: those of older servers, which
  /// don't say what they are, are told by it from any other page.
  private static func isNamedByItsAddress(_ anchor: IndexAnchor) -> Bool {
    guard let path = anchor.path,
      let last = path.split(separator: "/").last, let bytes = PercentEncoding.decode(last)
    else { return false }
    let name = String(decoding: bytes, as: UTF8.self)
    if name == anchor.text { return true }
    let project = path.hasSuffix("/") ? SimpleIndexFormat.normalized(name) : nil
    return project != nil && project == SimpleIndexFormat.normalized(anchor.text)
  }
}
