extension Peer {
  /// What a contender leaves undone that our program does.
  enum Lack: String, CaseIterable, Codable {
    case digest = "verify a digest"
    case durable = "survive a power cut"
    case remove = "remove what vanished"
    case look = "notice damage to the copy"
    case equalSize = "notice a change at equal size"
    case http = "speak HTTP (needs a server of its own)"
    case tell = "tell which rows changed"
    case leave = "leave rows alone that are as they should be"
    case read = "read JSON (is given objects, or values)"

    /// What stands for it in a table.
    var letter: String {
      switch self {
      case .digest: "D"
      case .durable: "P"
      case .remove: "R"
      case .look: "L"
      case .equalSize: "E"
      case .http: "H"
      case .tell: "T"
      case .leave: "U"
      case .read: "J"
      }
    }
  }
}
