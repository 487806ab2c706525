/// The parameters of a query, as the pages of a list are asked for by them.
extension URLReference {
  /// The same address with a parameter of its query set, in the place of all of that name.
  package func setting(_ name: String, to value: String) -> URLReference {
    let set =
      PercentEncoding.encode(inQuery: name.utf8) + "=" + PercentEncoding.encode(inQuery: value.utf8)
    var target = self
    target.setQuery(
      (parameters.filter { $0.name != name }.map(\.text) + [set]).joined(separator: "&"))
    return target
  }

  /// The number that the last parameter of a name says; `nil` if it's none.
  package func number(of name: String) -> Int? {
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
