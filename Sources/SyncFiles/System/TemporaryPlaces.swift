import SyncEssentials

/// Where files go that are soon gone again: where SQLite puts its own, too.
package enum TemporaryPlaces {
  /// Does something in the first of these directories in which it can be done.
  ///
  /// - Throws: Why it couldn't be done in the last of them.
  package static func first<Result>(
    in fileSystem: any FileSystem = SystemFileSystem(),
    _ body: (_ path: String, _ directory: Descriptor) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    let named = ProcessInfo.processInfo.environment["TMPDIR"].map { [$0] } ?? []
    var failure = Errno.absent
    for path in named + ["/var/tmp", "/tmp"] {
      do throws(Errno) {
        return try body(
          path, Descriptor.open(userPath: path, [.reading, .directory], in: fileSystem))
      } catch {
        failure = error
      }
    }
    throw failure
  }

  package static func name(of program: String) -> String { "\(program)-\(UUID().uuidString)" }
}
