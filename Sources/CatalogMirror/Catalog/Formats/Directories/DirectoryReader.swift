/// Reads the lists of a page that may be a directory's, and finds the one that is.
struct DirectoryReader: HTMLListReader {
  private struct Candidate {
    let name: HTMLName
    var list: any DirectoryList
    let page: DirectoryPage

    mutating func take(_ part: HTMLNode) -> Bool { list.take(part, into: page) }

    mutating func end(isShown: Bool) -> Bool { list.end(isShown: isShown, into: page) }
  }

  let lists: [HTMLName: HTMLParts]
  private let server: ServerListing
  private let makePage: (HTMLFacts) -> DirectoryPage
  private var open: [Candidate] = []
  private var found: [Candidate] = []
  /// Whether what began as the server's list wasn't one.
  private var hasFailed = false
  private var counts: [Int] = []

  init(_ server: ServerListing, _ makePage: @escaping (HTMLFacts) -> DirectoryPage) {
    self.server = server
    self.makePage = makePage
    var lists = server.lists.mapValues(\.parts)
    if server.count != nil { lists[.span] = .itself }
    self.lists = lists
  }

  mutating func begin(_ list: HTMLNode, isOnBody: Bool, _ facts: HTMLFacts) -> Bool {
    guard let name = list.name, let kind = server.lists[name] else { return true }
    guard let reader = kind.reader(list, isOnBody, facts) else { return false }
    open.append(Candidate(name: name, list: reader, page: makePage(facts)))
    return true
  }

  mutating func take(_ part: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {
    if list == .span {
      if counts.count < 3, let count = server.count?(part) { counts.append(count) }
    } else if let index = index(of: list), !open[index].take(part) {
      open.remove(at: index)
      hasFailed = true
    }
  }

  /// Where the list of a name is that began last. Asked for each row, so that none may be copied.
  private func index(of list: HTMLName) -> Int? {
    open.indices.last { open[$0].name == list }
  }

  mutating func end(_ list: HTMLName, isShown: Bool) {
    guard let index = index(of: list) else { return }
    var candidate = open.remove(at: index)
    if candidate.end(isShown: isShown) { found.append(candidate) } else { hasFailed = true }
  }

  /// The directory's page; `nil` where none of the lists is one, or more than one.
  func directory(on outline: HTMLOutline) -> DirectoryPage? {
    let rank = found.map(\.list.rank).max()
    let best = found.filter { $0.list.rank == rank }
    guard best.count == 1, server.standsBesideOthers || !hasFailed, server.frames(outline) else {
      return nil
    }
    let page = best[0].page
    guard server.count != nil else { return page }
    guard counts.count == 2 else { return nil }
    let (sum, isTooLarge) = counts[0].addingReportingOverflow(counts[1])
    return !isTooLarge && sum == page.rows ? page : nil
  }
}
