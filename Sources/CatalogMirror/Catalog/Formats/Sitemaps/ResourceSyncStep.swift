/// What a request for a document of ResourceSync is for, as a request's step and a checkpoint keep
/// it.
enum ResourceSyncStep: Hashable {
  /// A list of resources; its changes after it are listed at this address.
  case list(changes: String)
  /// One of the lists of an index which was whole at this time.
  case part(at: String, changes: String)
  /// What has changed since this time, at this address.
  case changes(since: String, at: String)

  /// Reads a step; `nil` for what is none.
  init?(_ text: String?) {
    let words = (text ?? "").split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("list", 2): self = .list(changes: words[1])
    case ("part", 3): self = .part(at: words[1], changes: words[2])
    case ("since", 3): self = .changes(since: words[1], at: words[2])
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .list(let changes): "list \(changes)"
    case .part(let time, let changes): "part \(time) \(changes)"
    case .changes(let time, let address): "since \(time) \(address)"
    }
  }
}
