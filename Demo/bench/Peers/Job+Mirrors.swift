/// Peers that follow a directory listing, or a server of their own.
extension Job {
  /// wget2(1): `--mirror` is recursion with time stamps and no limit of depth.
  func wget2Mirror(_ options: String...) -> Command {
    Command(
      "wget2",
      [
        "--no-config", "--quiet", "--mirror", "--no-parent", "--max-threads=\(width)",
        "--no-host-directories", "--cut-dirs=1", "--directory-prefix=copy",
      ] + options + [url])
  }

  /// lftp(1): `mirror --parallel`, and `--delete` as for a copy that is to stay equal.
  func lftpMirror(_ options: String...) -> Command {
    let words = ["mirror", "--parallel=\(width)", "--delete"] + options + [url, "copy"]
    let trust = certificate.map { "set ssl:ca-file \($0); " } ?? ""
    return Command("lftp", "--norc", "-c", trust + words.joined(separator: " "))
  }

  /// rclone(1): `sync` from the HTTP backend.
  func rcloneSync(by program: String = "rclone", _ options: String...) -> Command {
    Command(
      program,
      [
        "--config=/dev/null", "sync", "--http-url=\(url)", ":http:", "copy", "--quiet",
        "--transfers=\(width)", "--checkers=\(width)",
      ] + options)
  }

  /// rsync(1) from a daemon: archive mode, equal to the source.
  func rsyncMirror(_ options: String...) -> Command {
    Command("rsync", ["--archive", "--delete", "--quiet"] + options + [rsyncURL, "copy/"])
  }
}
