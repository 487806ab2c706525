import SyncFolder
import SyncText

package struct PageRequest: Hashable, Sendable {
  /// What tells the page from the others; that of the first one is the catalog's address, whatever
  /// is asked.
  package var id: String
  package var request: CatalogRequest
  /// Whether to send the validators that were kept for it.
  package var isConditional: Bool

  /// A request; a page that isn't the first is told by what is asked.
  package init(_ request: CatalogRequest, id: String? = nil, isConditional: Bool) {
    self.id = id ?? request.id
    self.request = request
    self.isConditional = isConditional
  }
}

struct PageNode: Hashable, Sendable {
  enum Role: Hashable, Sendable {
    case first
    /// As the next page of another, or as one that belongs to it.
    case next
    case directory
  }

  /// What is known of it. `waiting` goes to any of the others; `notModified` back to `waiting`
  /// when another page changed.
  enum State: Hashable, Sendable {
    case waiting
    /// As recorded; its entries are not at hand.
    case notModified
    indirect case page(CatalogPage, isFramed: Bool)
    /// A directory's page that can't be had; why, and which option of the mirror may help.
    case missing(String, MirrorAdvice?)
  }

  var role: Role
  var request: CatalogRequest
  /// What stands before its keys: the directory's path, with a slash at its end.
  var prefix: [UInt8]
  var depth: Int
  /// The directory's page that named it, or the page before which it belongs to; `nil` for those of
  /// the first.
  var parent: String?
  /// Whether only one of the directories that it leads to was asked for, to find out whether it
  /// repeats one above it; and whether that was found out, and it doesn't.
  private(set) var isReleased = false
  var isSuspected = false
  /// How many pages of its chain that list nothing stand right before it.
  var emptyBefore = 0
  var state = State.waiting
  /// What it leads to; known when it was read or not modified.
  var record: PageRecord?

  static func first(_ request: CatalogRequest) -> PageNode {
    PageNode(role: .first, request: request, prefix: [], depth: 0)
  }

  /// The page, if it was read and doesn't only repeat one above it.
  var readPage: CatalogPage? {
    guard record?.repeats == nil, case .page(let page, _) = state else { return nil }
    return page
  }

  /// Where it was asked for; of a file that was read where another one isn't there, where it lies.
  var address: String {
    guard case .page(let page, _) = state, page.terms.standsFor != nil else { return request.url }
    return request.alternatives.first ?? request.url
  }

  /// The pages that it leads to, each in its place: its directories, what belongs to it, then the
  /// next page. What it names twice alike is one.
  var children: [(id: String, place: PageNode)] {
    guard let record, record.repeats == nil else { return [] }
    var named: Set<PlacedRequest> = []
    let directories = record.subdirectories.filter {
      named.insert(PlacedRequest(request: $0.request, name: $0.name)).inserted
    }.map { directory in
      let below = prefix + directory.name + [UInt8(ascii: "/")]
      return PageNode(
        role: .directory, request: directory.request, prefix: below, depth: depth + 1)
    }
    let parts = record.parts.filter {
      named.insert(PlacedRequest(request: $0, name: nil)).inserted
    }.map { request in
      PageNode(role: .next, request: request, prefix: prefix, depth: depth)
    }
    let next = record.next.map { request in
      PageNode(
        role: .next, request: request, prefix: prefix, depth: depth,
        emptyBefore: listsNothing ? emptyBefore + 1 : 0)
    }
    return (directories + parts + [next].compactMap(\.self)).map { ($0.request.id, $0) }
  }

  private struct PlacedRequest: Hashable {
    var request: CatalogRequest
    /// The directory's name; `nil` for what belongs to the list itself.
    var name: [UInt8]?
  }

  /// Whether it was read, and only leads to a next page.
  private var listsNothing: Bool {
    guard case .page(let page, _) = state else { return false }
    return page.isEmpty
  }

  /// The path of a directory that was read and holds nothing; `nil` also for a name that is none.
  var emptyDirectory: RelativePath? {
    guard role == .directory, case .page(let page, _) = state, page.count == 0,
      page.subdirectories.isEmpty, page.next == nil, page.parts.isEmpty
    else { return nil }
    return try? RelativePath(CatalogKey(bytes: Array(prefix.dropLast())))
  }

  mutating func release() { (isReleased, isSuspected) = (true, false) }

  /// This page in another place of a new walk, if it needn't be fetched (again). Its keys are
  /// those of its directory's path.
  func moved(to place: PageNode) -> PageNode? {
    switch state {
    case .waiting, .notModified: return nil
    case .page where prefix != place.prefix: return nil
    case .page, .missing:
      var node = place
      node.state = state
      node.record = record
      node.record?.repeats = nil
      return node
    }
  }
}

extension ListingAssembly {
  /// What forbids that a page is asked for: it was already, there are too many, or too many in a
  /// row list nothing.
  func check(_ url: String, _ place: PageNode) -> CatalogError? {
    let shown = URLReference(place.request.url)?.redacted ?? root.redacted
    let limits = options.limits
    guard nodes[url] == nil else { return .pageLoop(url: shown) }
    guard place.depth <= limits.depth else {
      return .limit(url: shown, .levels, most: limits.depth)
    }
    guard nodes.count < limits.pages else {
      return .limit(url: root.redacted, .pages, most: limits.pages)
    }
    return place.emptyBefore < limits.emptyPages
      ? nil : .limit(url: shown, .emptyPages, most: limits.emptyPages)
  }
}
