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
  func address(ofPath path: some Sequence<UInt8>) throws(LocatorProblem) -> String {
    try address("./" + PercentEncoding.encode(path: path))
  }

  /// The absolute address that a list names.
  func address(_ text: String) throws(LocatorProblem) -> String {
    guard let reference = URLReference(text) else { throw .notAURL }
    let url = reference.resolved(against: base)
    try rules.check(url)
    return url.text
  }
}
