/// A directory's listing in HTML as one server writes it: what it is known by, and how the rows of
/// its list are read, one after the other.
struct ServerListing: CatalogFormat {
  let name: CatalogFormatName
  let noun: String
  let begins: @Sendable (String) -> Bool
  let lists: [HTMLName: DirectoryListKind]
  /// The bytes of the server's own page; `nil` where it isn't whole.
  var document: @Sendable (CatalogBody) -> ArraySlice<UInt8>? = Self.wholeBody
  /// Whether what stands around the list is the server's. Default: whatever it is.
  var frames: @Sendable (HTMLOutline) -> Bool = { _ in true }
  /// The number that a `span` of the page tells; together they have to be that of the rows.
  var count: (@Sendable (HTMLNode) -> Int?)?
  /// How many names the server lists at most: a page of so many may be cut.
  var most = Int.max
  /// Whether a list of others may stand beside its own.
  var standsBesideOthers = false

  private static let wholeBody: @Sendable (CatalogBody) -> ArraySlice<UInt8>? = { body in
    let ending = HTMLEnding(of: body.bytes)
    return ending.isWhole && ending.closesListsOnce ? body.bytes[...] : nil
  }

  func recognises(_ body: CatalogBody) -> Bool {
    begins(String(decoding: body.opening, as: UTF8.self))
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    guard let document = document(body) else {
      throw body.unreadable(
        expected: .format(name), found: recognises(body) ? .cutPage : nil)
    }
    let before = body.bytes[..<document.startIndex]
    let base = HTMLReader.read(before, in: .init(of: before), by: NoLists())?.page.facts.base
    let charset = HTMLReader.Charset(of: document)
    let lists = DirectoryReader(self) { facts in
      DirectoryPage(
        CatalogPage(format: name, claim: .whole), of: body,
        at: DirectoryPlace(body, base: base ?? facts.base), in: charset, within: limits)
    }
    let read = HTMLReader.read(document, in: charset, by: lists)
    guard let (html, reader) = read, let found = reader.directory(on: html.outline) else {
      throw body.unreadable(expected: .format(name))
    }
    var page = try found.finish()
    if found.rows >= most { page.claim = .unvouchable }
    return page
  }
}

/// What may be a server's list: which parts of an element are its rows, and what reads them.
struct DirectoryListKind: Sendable {
  let parts: HTMLParts
  /// What reads an element; `nil` where that is no such list. It is told whether the element lies
  /// in the page's body, one level down.
  let reader: @Sendable (HTMLNode, _ isOnBody: Bool, HTMLFacts) -> (any DirectoryList)?
}

/// Reads a list that may be a directory's, part by part.
protocol DirectoryList {
  /// Of several lists on a page, those of the highest rank count.
  var rank: Int { get }

  /// Takes the next part; false where a directory's list has no such part.
  mutating func take(_ part: HTMLNode, into page: DirectoryPage) -> Bool

  /// Takes the end; false where that isn't a directory's.
  ///
  /// - Parameter isShown: Whether nothing is in the list but what is shown.
  mutating func end(isShown: Bool, into page: DirectoryPage) -> Bool
}

extension DirectoryList {
  var rank: Int { 2 }

  mutating func end(isShown: Bool, into page: DirectoryPage) -> Bool { isShown }
}

/// Reads a page of which nothing but its facts is asked for.
private struct NoLists: HTMLListReader {
  let lists: [HTMLName: HTMLParts] = [:]

  mutating func take(_ part: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {}
}

extension HTMLFacts {
  func isTitled(_ start: String) -> Bool { title?.hasPrefix(start) ?? false }
}

extension HTMLOutline {
  func isTitled(_ start: String) -> Bool { facts.isTitled(start) }

  /// Whether the page's heading is its title.
  var hasTitleAsHeading: Bool { facts.title != nil && heading == facts.title }
}
