extension Invocation {
  /// What people try who come from rsync, rclone, lftp or wget, and what does it here.
  static let foreignOptions: [String: String] = [
    "delete": "what the source lacks is removed anyway, and --no-delete keeps it",
    "recursive": "directories are followed anyway",
    "r": "directories are followed anyway",
    "archive": "dates are kept anyway, and modes go by the umask",
    "a": "dates are kept anyway, and modes go by the umask",
    "continue": "what was cut is gone on with anyway",
    "c": "what was cut is gone on with anyway",
    "checksum": "'mirror verify' reads every byte",
    "bwlimit": "say --limit-rate, in bytes a second",
    "transfers": "say --concurrency",
    "parallel": "say --concurrency",
    "exclude-from": "say --filter-from, with '- ' before each pattern",
    "include-from": "say --filter-from, with '+ ' before each pattern",
  ]
}
