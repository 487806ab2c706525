import SyncText

/// Makes the addresses that a list names absolute, and refuses those that aren't followed.
struct LocatorResolver {
  private let base: URLReference
  private let rules: LocatorRules

  /// A resolver for a list from `catalog` whose relative addresses start from `base`.
  init(base: URLReference, catalog: URLReference) {
    self.base = base
    rules = LocatorRules(catalog: catalog)
  }

  /// A resolver for a list whose relative addresses start from its own.
  init(_ body: CatalogBody) {
    self.init(base: body.url, catalog: body.url)
  }

  /// The absolute address of a path below the base. A colon in it makes no scheme.
  func address(ofPath path: some Sequence<UInt8>) throws(EntryProblem) -> String {
    try address("./" + PercentEncoding.encode(path: path))
  }

  func address(_ text: String) throws(EntryProblem) -> String {
    guard let reference = URLReference(text) else { throw .locator(.notAURL) }
    let url = reference.resolved(against: base)
    if let problem = rules.problem(with: url) { throw .locator(problem) }
    return url.text
  }

  /// Those of several addresses that are followed, in their order; there is at least one.
  func addresses(_ texts: [String]) throws(EntryProblem) -> [String] {
    var followed: [String] = []
    var refused: EntryProblem?
    for text in texts {
      do throws(EntryProblem) { followed.append(try address(text)) } catch {
        refused = refused ?? error
      }
    }
    guard followed.isEmpty else { return followed }
    throw refused ?? .locator(.notAURL)
  }
}

extension ListedEntry {
  /// The entry that `read` gives for a position, and whether its version tells every later state;
  /// or why it can't be used.
  init(
    _ key: CatalogKey?, at position: Int,
    _ read: () throws(EntryProblem) -> (CatalogEntry, isSettled: Bool)
  ) {
    do throws(EntryProblem) {
      let (entry, isSettled) = try read()
      self = .entry(entry, settled: isSettled)
    } catch {
      self = .unusable(UnusableEntry(position: position, key: key, problem: error))
    }
  }
}
