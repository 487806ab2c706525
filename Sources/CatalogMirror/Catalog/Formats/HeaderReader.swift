import SyncText

struct HeaderReader {
  let body: CatalogBody

  /// What the header gave: a page without entries yet, and what its relative URLs start from.
  struct Header {
    var page: CatalogPage
    var base: URLReference
    var isFormat1 = false
  }

  /// Reads the members that it knows; `null` counts as absent.
  /// - Throws: ``CatalogError/badHeader(url:problem:)`` for a known field of a wrong type.
  func read(_ members: [JSONValue.Member]) throws(CatalogError) -> Header {
    var header = Header(
      page: CatalogPage(format: .catalog, claim: .unvouched), base: body.url)
    var packs: (list: JSONValue?, directory: String?)
    for member in members where !member.value.isNull {
      switch String(decoding: member.name, as: UTF8.self) {
      case "catalog":
        guard member.value.integer == 1 else {
          throw problem(.unknownFormat(shown(member.value)))
        }
        header.isFormat1 = true
      case "title": header.page.header.title = try string(member)
      case "revision": header.page.header.revision = try revision(member)
      case "count": header.page.header.count = try count(member)
      case "complete": header.page.claim = try isComplete(member) ? .whole : .window
      case "base": header.base = try base(member)
      case "next": header.page.next = CatalogRequest(try string(member))
      case "expires":
        let end = member.value.string.flatMap { CivilTime.rfc3339($0) }
        header.page.header.claimedExpiry = end.map { Int64($0.rounded(.up)) }
      case "packs": packs.list = member.value
      case "packsAt": packs.directory = member.value.string
      case "signature": header.page.header.signers = signers(member.value)
      default: break
      }
    }
    header.page.packs = ListedPacks(packs.list, at: packs.directory, in: body.url)
    return header
  }

  /// Who claims to have signed it; what can't be read is for those who ask for a signature.
  private func signers(_ value: JSONValue) -> [String] {
    guard !value.holds(moreThan: 64) else { return [] }
    return (value.elements ?? []).compactMap { $0["key"]?.string }
      .map { CatalogKey.escape($0.utf8.prefix(64)) }
  }

  private func string(_ member: JSONValue.Member) throws(CatalogError) -> String {
    guard let text = member.value.string else { throw wrong(member, expected: "a string") }
    return text
  }

  private func revision(_ member: JSONValue.Member) throws(CatalogError) -> CatalogRevision {
    if let number = member.value.integer { return .ordered(number) }
    guard let text = member.value.string else {
      throw wrong(member, expected: "a string or an integer")
    }
    return .opaque(text)
  }

  private func count(_ member: JSONValue.Member) throws(CatalogError) -> Int64 {
    guard let count = member.value.integer, count >= 0 else {
      throw wrong(member, expected: "a number of entries")
    }
    return count
  }

  private func isComplete(_ member: JSONValue.Member) throws(CatalogError) -> Bool {
    guard let isComplete = member.value.bool else { throw wrong(member, expected: "true or false") }
    return isComplete
  }

  private func base(_ member: JSONValue.Member) throws(CatalogError) -> URLReference {
    guard let base = URLReference(try string(member)) else {
      throw wrong(member, expected: "a URL")
    }
    return base.resolved(against: body.url)
  }

  private func wrong(
    _ member: JSONValue.Member, expected: String
  ) -> CatalogError {
    problem(
      .field(
        name: CatalogKey.escape(member.name), value: shown(member.value), expected: expected))
  }

  private func shown(_ value: JSONValue) -> String {
    CatalogKey.escape(value.text.utf8.prefix(60))
  }

  private func problem(_ problem: CatalogError.HeaderProblem) -> CatalogError {
    .badHeader(url: body.url.redacted, problem: problem)
  }
}
