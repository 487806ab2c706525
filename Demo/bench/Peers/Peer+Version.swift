extension Peer {
  /// In which parts of the benchmark it is measured.
  var groups: Set<Group> {
    switch self {
    case .mirror, .wget2: [.mirror, .catalogs, .packed]
    case .lftp, .rclone: [.mirror, .catalogs]
    case .curl, .aria2, .rsync: [.mirror, .packed]
    case .rcloneOfPyPI, .s5cmd, .debmirror: [.catalogs]
    case .records, .python, .sqliteUtils, .dlt: [.records, .nested]
    case .decoder, .floor: [.records]
    }
  }

  /// The command that tells its version in its first line; none of what is built here.
  func versionCommand(in shop: Workshop) -> (program: String, arguments: [String])? {
    switch self {
    case .mirror: (shop.mirror, ["--version"])
    case .records: (shop.records, ["--version"])
    case .aria2: ("aria2c", ["--version"])
    case .wget2, .curl, .lftp, .rclone, .rsync, .debmirror: (rawValue, ["--version"])
    case .rcloneOfPyPI: shop.program(ofPyPI: "rclone").map { ($0, ["--version"]) }
    case .s5cmd: shop.program(ofPyPI: "s5cmd").map { ($0, ["version"]) }
    case .python: (shop.python, ["--version"])
    case .sqliteUtils, .dlt:
      shop.hasPackages
        ? (shop.python, ["-c", "from importlib.metadata import *; print(version('\(rawValue)'))"])
        : nil
    case .decoder, .floor: nil
    }
  }
}
