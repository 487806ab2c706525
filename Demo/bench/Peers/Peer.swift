/// The programs that are measured.
enum Peer: String, CaseIterable, Codable {
  case mirror, wget2, curl, aria2, lftp, rclone, rsync
  case rcloneOfPyPI = "rclone of PyPI", s5cmd, debmirror
  case records, python = "Python", sqliteUtils = "sqlite-utils", dlt, decoder = "JSONDecoder"
  case floor = "C"

  /// Whether this package makes it.
  var isOurs: Bool { self == .mirror || self == .records }

  /// What it leaves undone however it is called; aria2 is given the digests, and rsync compares
  /// what arrived with what its server read.
  var lacks: [Lack] {
    switch self {
    case .mirror, .records: []
    case .wget2, .curl: [.digest, .durable, .remove]
    case .aria2: [.durable, .remove]
    case .lftp, .rclone, .rcloneOfPyPI: [.digest, .durable]
    case .s5cmd, .debmirror: [.digest, .durable]
    case .rsync: [.durable, .http]
    case .python, .decoder: [.remove, .tell]
    case .sqliteUtils: [.remove, .tell, .leave, .read]
    case .dlt: [.remove, .tell, .leave, .read]
    case .floor: [.remove, .tell, .read]
    }
  }
}
