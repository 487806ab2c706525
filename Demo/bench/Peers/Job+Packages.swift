/// Peers that mirror a Debian repository; `url` is the archive's.
extension Job {
  /// `mirror`, from the suite, which nobody has signed.
  func oursFromSuite(_ options: String...) -> Command {
    ours(from: PackageArchive.suite + "Release", ["--format", "debian"] + options)
  }

  /// debmirror(1), without a look at signatures, which the archive lacks.
  func debmirror() -> Command {
    Command(
      "debmirror",
      [
        "--method=http", "--host=\(url.split(separator: "/")[1])", "--root=\(set.name)",
        "--dist=stable", "--section=main", "--arch=amd64", "--nosource", "--diff=none",
        "--rsync-extra=none", "--no-check-gpg", "--ignore-release-gpg", "copy",
      ])
  }
}
