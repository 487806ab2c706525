import SyncText

/// Which page of a chain comes next. A value without I/O.
struct PageChain: Equatable {
  private var asked: Set<String>
  private(set) var count = 1
  private(set) var current: URLReference
  private let isSecure: Bool

  /// A server that makes up pages without end shall not fill the disk.
  static let most = 100_000

  init(_ first: URLReference) {
    current = first
    asked = [first.text]
    isSecure = first.scheme == "https"
  }

  /// Steps to the page that the last one names, as text that may be relative to the address that
  /// answered. `false` when there is none.
  mutating func follow(_ next: String?, from answered: String) throws(PayloadProblem) -> Bool {
    guard let next else { return false }
    let base = URLReference(answered) ?? current
    guard let target = URLReference(next)?.resolved(against: base), target.isWebAddress,
      !target.hasUserInfo, !isSecure || target.scheme == "https"
    else { throw .source(current.redacted, .nextPage(ByteString.escape(next))) }
    guard asked.insert(target.text).inserted else { throw .pageTwice(target.redacted) }
    guard count < Self.most else { throw .source(current.redacted, .tooManyPages(Self.most)) }
    count += 1
    current = target
    return true
  }
}

extension URLReference {
  var isWebAddress: Bool {
    (scheme == "http" || scheme == "https") && !(authority ?? "").isEmpty
  }
}
