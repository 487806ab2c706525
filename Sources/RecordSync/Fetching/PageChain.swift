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

  /// The same address with a parameter of its query set, in the place of all of that name.
  func setting(_ name: String, to value: String) -> URLReference {
    let name = PercentEncoding.encode(inQuery: name.utf8)
    let value = PercentEncoding.encode(inQuery: value.utf8)
    let others = (query ?? "").split(separator: "&").filter { $0.prefix { $0 != "=" } != name }
    var target = self
    target.setQuery((others.map(String.init) + ["\(name)=\(value)"]).joined(separator: "&"))
    return target
  }

  func number(of name: String) -> Int? {
    let start = "\(PercentEncoding.encode(inQuery: name.utf8))="
    let found = (query ?? "").split(separator: "&").last { $0.hasPrefix(start) }
    return found.flatMap { Int($0.dropFirst(start.count)) }
  }
}
