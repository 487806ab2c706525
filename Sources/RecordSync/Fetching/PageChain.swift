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
    let set =
      PercentEncoding.encode(inQuery: name.utf8) + "=" + PercentEncoding.encode(inQuery: value.utf8)
    var target = self
    target.setQuery(
      (parameters.filter { $0.name != name }.map(\.text) + [set]).joined(separator: "&"))
    return target
  }

  func number(of name: String) -> Int? {
    parameters.last { $0.name == name }.flatMap { Int($0.value) }
  }

  /// The parts of the query, as they stand there, and what they say.
  private var parameters: [(text: String, name: String, value: String)] {
    (query ?? "").split(separator: "&").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let words = pair.map { word -> String in
        let word = String(word.replacing("+", with: " "))
        return PercentEncoding.decode(word).map { String(decoding: $0, as: UTF8.self) } ?? word
      }
      return (String(part), words[0], words.count > 1 ? words[1] : "")
    }
  }
}
