/// The programs that are measured.
enum Peer: String, CaseIterable, Codable {
  case mirror, wget2, curl, aria2, lftp, rclone, rsync

  /// What a contender leaves undone that `mirror` does.
  enum Lack: String, CaseIterable, Codable {
    case digest = "verify a digest"
    case durable = "survive a power cut"
    case remove = "remove what vanished"
    case look = "notice damage to the copy"
    case equalSize = "notice a change at equal size"
    case http = "speak HTTP (needs a server of its own)"

    /// What stands for it in a table.
    var letter: String {
      switch self {
      case .digest: "D"
      case .durable: "P"
      case .remove: "R"
      case .look: "L"
      case .equalSize: "E"
      case .http: "H"
      }
    }
  }

  /// What it leaves undone however it is called; aria2 is given the digests, and rsync compares
  /// what arrived with what its server read.
  var lacks: [Lack] {
    switch self {
    case .mirror: []
    case .wget2, .curl: [.digest, .durable, .remove]
    case .aria2: [.durable, .remove]
    case .lftp, .rclone: [.digest, .durable]
    case .rsync: [.durable, .http]
    }
  }

  /// The command that tells its version in its first line.
  var versionCommand: (program: String, arguments: [String]) {
    switch self {
    case .aria2: ("aria2c", ["--version"])
    default: (rawValue, ["--version"])
    }
  }
}
