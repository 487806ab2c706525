import CatalogMirror

/// A format of the tests, as a program may bring its own: one word and what belongs to it a line.
///
/// `+key` lists an item and `-key` what is gone; `next`, `part` and `packed` lead to further pages,
/// `packed` with the digest of the file; `checkpoint` and `claim` are what they say.
struct StepsFormat: CatalogFormat {
  let name = CatalogFormatName("steps")
  let noun = "a list of steps"
  /// Whether its first request is a `PROPFIND`.
  var asksForProperties = false

  func recognises(_ body: CatalogBody) -> Bool { body.bytes.starts(with: "steps\n".utf8) }

  func firstRequest(to catalog: URLReference) -> CatalogRequest {
    var request = CatalogRequest(catalog.text)
    guard asksForProperties else { return request }
    request.method = .propfind
    request.fields = [.init("Depth", "1"), .init("Content-Type", "application/xml")]
    request.body = "<propfind/>"
    return request
  }

  func firstRequest(to catalog: URLReference, since checkpoint: String) -> CatalogRequest? {
    CatalogRequest(catalog.text + "?since=" + checkpoint)
  }

  func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let lines = String(decoding: body.bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first == "steps", lines.last == "end" else {
      throw .unreadable(
        url: body.url.redacted, expected: .format(name.rawValue), found: .cutPage)
    }
    var page = CatalogPage(format: name, claim: .whole)
    for line in lines.dropFirst().dropLast() {
      take(line.split(separator: " ").map(String.init), into: &page, of: body)
    }
    return page
  }

  private func take(_ words: [String], into page: inout CatalogPage, of body: CatalogBody) {
    switch words[0] {
    case "next": page.next = CatalogRequest(words[1])
    case "part": page.parts.append(CatalogRequest(words[1]))
    case "packed":
      var request = CatalogRequest(words[1])
      request.packing = .gzip
      request.sha256 = SHA256Digest(hexadecimal: words[2])
      page.parts.append(request)
    case "checkpoint": page.checkpoint = words[1]
    case "claim": page.claim = .changes
    case let word where word.hasPrefix("-"):
      page.removed.append(CatalogKey(String(word.dropFirst())))
    case let word:
      let key = String(word.dropFirst())
      let url = "https://mirror.test/pub/" + key
      let entry = CatalogEntry(
        key: CatalogKey(key), locators: [url], version: .revision(words.last ?? ""))
      page.entries.append(.entry(entry, settled: true))
    }
  }
}

extension RunTestCase {
  /// The address of a list of steps.
  static let stepsURL = root + "steps"

  /// Publishes a page of steps at the list's address with this after it.
  func serveSteps(_ lines: String..., at suffix: String = "") throws {
    try site.answer(Self.stepsURL + suffix, .text(Self.steps(lines)))
  }

  static func steps(_ lines: [String]) -> String {
    (["steps"] + lines + ["end"]).map { $0 + "\n" }.joined()
  }

  /// Publishes the bytes of items.
  func serveBytes(_ texts: [String: String]) throws {
    for (key, text) in texts { try site.answer(Self.root + key, .text(text)) }
  }

  /// As ``sync(_:)``, of the list of steps.
  func syncSteps(
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    try await sync { options in
      options.catalog = Self.stepsURL
      options.additionalFormats = [StepsFormat()]
      change(&options)
    }
  }
}
