import SyncText

/// Keeps the parameters of the catalog's own query, which may be secret, out of what is remembered
/// of its pages: addresses of further pages often repeat them.
struct HiddenQuery {
  private let parameters: [String]

  /// The query of the catalog at this address.
  init(of catalog: URLReference) {
    parameters = (catalog.query ?? "").split(separator: "&").map(String.init)
  }

  /// Records of pages with a mark in place of each parameter; no address has such marks.
  func hidden(in pages: [ListingValidators.Page]) -> [ListingValidators.Page] {
    let marks = parameters.indices.map { "{\($0)}" }
    return replacing(Dictionary(zip(parameters, marks), uniquingKeysWith: { $1 }), in: pages)
  }

  /// The same records with the parameters that the catalog has now.
  func shown(in pages: [ListingValidators.Page]) -> [ListingValidators.Page] {
    let marks = parameters.indices.map { "{\($0)}" }
    return replacing(Dictionary(zip(marks, parameters), uniquingKeysWith: { $1 }), in: pages)
  }

  private func replacing(
    _ words: [String: String], in pages: [ListingValidators.Page]
  ) -> [ListingValidators.Page] {
    guard !words.isEmpty else { return pages }
    return pages.map { page in
      var page = page
      page.record.changeAddresses { Self.replacing(words, in: $0) }
      return page
    }
  }

  /// Replaces whole parameters only.
  private static func replacing(_ words: [String: String], in text: String) -> String {
    var result = ""
    var word = ""
    for character in text {
      guard "?&#\n".contains(character) else {
        word.append(character)
        continue
      }
      result += (words[word] ?? word) + String(character)
      word = ""
    }
    return result + (words[word] ?? word)
  }
}
