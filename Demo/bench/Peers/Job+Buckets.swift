/// Peers that speak S3; `url` is a bucket's.
extension Job {
  /// `mirror`, from a bucket that everybody may read.
  func oursFromBucket(_ options: String...) -> Command {
    ours(from: "", ["--format", "s3", "--anonymous"] + options)
  }

  /// rclone(1): `sync` from the S3 backend, which compares each file with the object's MD5.
  func rcloneFromBucket(_ program: String = "rclone", _ options: String...) -> Command {
    Command(
      program,
      [
        "--config=/dev/null", "sync", "--s3-provider=Other", "--s3-endpoint=\(server)",
        "--s3-list-version=2", ":s3:\(set.name)", "copy", "--quiet", "--transfers=\(width)",
        "--checkers=\(width)",
      ] + options)
  }

  /// s5cmd: `sync --delete`, as for a copy that is to stay equal.
  func s5cmd(_ program: String) -> Command {
    Command(
      program, "--log", "error", "--no-sign-request", "--endpoint-url", server, "--numworkers",
      "\(width)", "sync", "--delete", "s3://\(set.name)/*", "copy/")
  }

  private var server: String { String(url.dropLast(set.name.count + 2)) }
}
