extension ConflictPolicy.Name {
  /// How rows say it.
  var text: String {
    switch self {
    case .serverWins: "serverWins"
    case .localWins: "localWins"
    case .merge: "merge"
    case .latest: "latest"
    case .ask: "ask"
    }
  }

  /// The policy that rows call so.
  init?(text: String) {
    guard let name = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = name
  }

  /// How a document's life says it.
  var words: String {
    switch self {
    case .serverWins: "server wins"
    case .localWins: "local wins"
    case .merge: "merge"
    case .latest: "latest per member"
    case .ask: "ask"
    }
  }
}
