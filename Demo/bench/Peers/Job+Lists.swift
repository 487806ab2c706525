/// Peers that are given a list of URLs.
extension Job {
  /// What a peer leaves undone, done after it: sha256sum(1) on every file that has a digest, and
  /// sync(1).
  func verifiedAndFlushed(_ command: Command) -> Command {
    let sums = list("sums") { file in
      digests[file.path].map { "\($0)  copy/\(file.path)\n" } ?? ""
    }
    return .inTurn(
      command.text(naming: []), "sha256sum --check --quiet \(sums)", "sync --file-system copy")
  }

  /// wget2(1): `--input-file`, `--max-threads`; what is cut is the set's own folder.
  func wget2(_ options: String...) -> Command {
    Command(
      "wget2",
      [
        "--no-config", "--quiet", "--input-file=\(list("urls") { "\(url)\($0.path)\n" })",
        "--max-threads=\(width)", "--force-directories", "--no-host-directories", "--cut-dirs=1",
        "--directory-prefix=copy",
      ] + (certificate.map { ["--ca-certificate=\($0)"] } ?? []) + options)
  }

  /// curl(1): `--parallel`, and a file of options for many URLs.
  func curl(_ options: String...) -> Command {
    let lines = list("curl") { "url = \"\(url)\($0.path)\"\noutput = \"copy/\($0.path)\"\n" }
    return curl(config: lines, options)
  }

  /// The same, each file asked for only if it is newer than the one that is there (`--time-cond`).
  func curlAgain() -> Command {
    // `next` parts the files' options, and may not come last.
    let lines = list("curl-again") { file in
      """
      \(file.path == set.everything.first?.path ? "" : "next")
      url = "\(url)\(file.path)"
      output = "copy/\(file.path)"
      time-cond = "copy/\(file.path)"
      remote-time
      fail
      silent

      """
    }
    return curl(config: lines, [])
  }

  private func curl(config: String, _ options: [String]) -> Command {
    Command(
      "curl",
      [
        "--disable", "--silent", "--show-error", "--fail", "--remote-time", "--create-dirs",
        "--parallel", "--parallel-max", "\(width)",
      ] + trust("--cacert") + options + ["--config", config])
  }

  /// aria2c(1): `--input-file` with a path and a digest for each URL, which it verifies.
  func aria2(_ options: String...) -> Command {
    let lines = list("aria2") { file in
      let digest = digests[file.path].map { "  checksum=sha-256=\($0)\n" } ?? ""
      return "\(url)\(file.path)\n  out=\(file.path)\n\(digest)"
    }
    return Command(
      "aria2c",
      [
        "--no-conf", "--quiet", "--dir=copy", "--remote-time=true",
        "--max-concurrent-downloads=\(width)", "--file-allocation=none",
      ] + options + ["--input-file=\(lines)"])
  }
}
