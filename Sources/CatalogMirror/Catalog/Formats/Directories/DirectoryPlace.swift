import SyncText

/// Where a directory's page stands, and what its links lead to, seen from there.
struct DirectoryPlace {
  enum Target {
    /// The page itself, a directory above it, or no address at all.
    case nothing
    /// Another host, or a place on this one that is neither in the directory nor above it.
    case outside(isOtherHost: Bool)
    /// What lies in the directory, or deeper below it.
    case below(Item)
    case unclear
  }

  struct Item {
    /// The path from there, decoded once and without a slash at its end.
    var name: [UInt8]
    var url: String
    var isDirectory: Bool
  }

  /// The directory's address without a query, with a slash at its end.
  private let directory: URLReference
  let entryPlace: EntryPlace.Directory
  /// The page's own address, as one of several equal ones.
  private let page: URLReference
  /// The last segment of it, decoded; empty where that is the directory.
  private let pageName: [UInt8]
  private let base: URLReference
  /// Whether links start from the directory itself.
  private let isPlain: Bool
  private let normalized: URLReference
  private let depth: Int
  /// Whether the page is a known server's, which may leave a colon in a name as it is.
  private let isKnownServers: Bool

  /// The page of a known server, which is the directory's whatever its address ends with.
  init(_ body: CatalogBody, base: String? = nil) {
    var directory = body.url.withoutQuery
    if !directory.path.hasSuffix("/") { directory.setPath(directory.path + "/") }
    directory = URLReference("./")?.resolved(against: directory) ?? directory
    self.init(directory, page: body.url, base: base, or: directory, isKnownServers: true)
  }

  /// Any page; the directory is where it lies.
  init(anyPage body: CatalogBody, base: String?) {
    let directory = URLReference("./")?.resolved(against: body.url) ?? body.url
    self.init(directory, page: body.url, base: base, or: body.url, isKnownServers: false)
  }

  private init(
    _ directory: URLReference, page: URLReference, base: String?, or other: URLReference,
    isKnownServers: Bool
  ) {
    self.directory = directory
    self.isKnownServers = isKnownServers
    self.page = page.withoutQuery.normalized
    pageName =
      self.page.path.split(separator: "/", omittingEmptySubsequences: false).last
      .flatMap { PercentEncoding.decode($0) } ?? []
    let own = base.flatMap { URLReference(written: $0.withoutOuterWhitespace) }
    self.base = own?.resolved(against: page) ?? other
    isPlain = own == nil && !directory.hasUserInfo
    entryPlace = EntryPlace.Directory(directory.text)
    normalized = directory.normalized
    depth = directory.path.utf8.count { $0 == UInt8(ascii: "/") }
  }

  func target(of href: String) -> Target {
    if isPlain, let item = plainItem(href) { return .below(item) }
    let link = href.withoutOuterWhitespace
    // No row of a server's list is without an address.
    guard let first = link.first else { return isKnownServers ? .unclear : .nothing }
    guard first != "#" else { return .nothing }
    // A quote that is missing makes a link of what stands up to the next one.
    guard !link.contains("<") else { return .unclear }
    switch scheme(of: link) {
    case nil: return resolved(link)
    case "http" where link.hasAddress, "https" where link.hasAddress: return resolved(link)
    case let scheme? where Self.leadingNowhere.contains(scheme): return .nothing
    case _ where link.hasAddress: return .outside(isOtherHost: true)
    default: return isKnownServers ? resolved("./" + link) : .unclear
    }
  }

  private static let leadingNowhere: Set<String> = [
    "mailto", "javascript", "data", "tel", "sms", "about", "magnet",
  ]

  /// Nearly all links are a name that needs no resolving.
  private func plainItem(_ href: String) -> Item? {
    // Some servers write it before a name with a colon, or before each.
    let link = href.hasPrefix("./") ? href.dropFirst(2) : href[...]
    let isDirectory = link.utf8.last == UInt8(ascii: "/")
    let segment = isDirectory ? link.dropLast() : link
    guard segment.utf8.first != UInt8(ascii: "."),
      segment.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "%") }),
      let name = PercentEncoding.decode(segment), DirectoryName.isInside(name), name != pageName
    else { return nil }
    return Item(name: name, url: entryPlace.address + link, isDirectory: isDirectory)
  }

  private func scheme(of link: String) -> String? {
    guard let end = link.utf8.firstIndex(where: { ":/?#".utf8.contains($0) }),
      link.utf8[end] == UInt8(ascii: ":"),
      let scheme = URLReference(String(link[...end]))?.scheme
    else { return nil }
    return scheme
  }

  private func resolved(_ link: String) -> Target {
    guard let url = URLReference(written: link)?.resolved(against: base), !url.hasUserInfo else {
      return .unclear
    }
    let place = url.normalized
    guard place.scheme == normalized.scheme, place.authority == normalized.authority else {
      return other(place)
    }
    let path = place.path.hasSuffix("/") ? place.path : place.path + "/"
    guard place.path != page.path, !normalized.path.hasPrefix(path) else { return .nothing }
    guard place.path.hasPrefix(normalized.path) else { return .outside(isOtherHost: false) }
    return item(url).map { .below($0) } ?? .unclear
  }

  /// What is at another address. The same path may be the same directory, by another name of its
  /// server or in front of it.
  private func other(_ place: URLReference) -> Target {
    let isSameHost = place.normalizedHost == normalized.normalizedHost
    let isSamePath = place.path.hasPrefix(normalized.path) && place.path != normalized.path
    let isOdd = isKnownServers && normalized.path != "/"
    return isSamePath && (isSameHost || isOdd) ? .unclear : .outside(isOtherHost: !isSameHost)
  }

  private func item(_ url: URLReference) -> Item? {
    var segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst(depth)
    let isDirectory = segments.last?.isEmpty ?? false
    if isDirectory { segments.removeLast() }
    guard isDirectory || Self.isAFiles(url.query), !isKnownServers || segments.count == 1 else {
      return nil
    }
    let names = segments.compactMap { PercentEncoding.decode($0) }.filter(DirectoryName.isInside)
    guard !names.isEmpty, names.count == segments.count else { return nil }
    return Item(
      name: Array(names.joined(separator: "/".utf8)), url: url.text, isDirectory: isDirectory)
  }

  /// Whether an address with this query is that of a file, and the query only asks for its bytes.
  private static func isAFiles(_ query: String?) -> Bool {
    (query ?? "").split(separator: "&").allSatisfy { parameter in
      let name = parameter.prefix { $0 != "=" }
      return ["download", "dl", "raw"].contains(name) || parameter == "inline=false"
    }
  }
}

extension String {
  fileprivate var hasAddress: Bool {
    firstIndex(of: ":").map { self[$0...].hasPrefix("://") } ?? false
  }
}

enum DirectoryName {
  /// Whether it names something in that very directory, and not the directory, its parent or
  /// something elsewhere.
  static func isInside(_ name: [UInt8]) -> Bool {
    !name.isEmpty && !name.contains(UInt8(ascii: "/")) && !isDots(name)
  }

  /// Whether it stands for the directory itself or its parent.
  static func isDots(_ name: [UInt8]) -> Bool {
    name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
  }
}
