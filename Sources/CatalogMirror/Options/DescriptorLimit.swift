private import SyncSystem

/// How many files this process may have open, and so how many downloads at once it can afford.
package enum DescriptorLimit {
  /// What a run has open besides its downloads: the folder, its index and lock, the staging area,
  /// directories that are worked in, finished files that wait for their flush, the standard
  /// streams.
  private static let others = 32
  /// What a run with one download needs.
  private static let needed = others + 2

  /// The most downloads at once of each of so many runs, each with a socket and a file; at least
  /// one.
  static func downloads(ofRunsAtOnce runs: Int) -> Int {
    max(1, (openFiles / max(1, runs) - others) / 2)
  }

  /// How many downloads at once of each of so many runs are begun where nobody gave a number: 256,
  /// or fewer, so that beyond the first 32 half of the files stay for the rest of the process.
  static func automaticDownloads(ofRunsAtOnce runs: Int) -> Int {
    let most = downloads(ofRunsAtOnce: runs)
    return min(256, max(min(32, most), most / 2))
  }

  /// How many runs at once there are enough of them for; at least one.
  package static var runs: Int { max(1, openFiles / needed) }

  /// Makes sure that a run with one download has enough of them: with fewer, not only our calls
  /// fail but those of the system's libraries as well, and some end the program when one does.
  /// - Throws: ``MirrorError/tooFewOpenFiles(allowed:needed:)``.
  package static func check() throws(MirrorError) {
    guard openFiles >= needed else {
      throw .tooFewOpenFiles(allowed: openFiles, needed: needed)
    }
  }

  /// Makes sure that the program's threads can be started: with fewer, the system's own queues end
  /// it, without a word.
  /// - Throws: ``MirrorError/tooFewOpenFiles(allowed:needed:)``.
  package static func checkForThreads() throws(MirrorError) {
    // The standard streams, and what libdispatch waits for events and signals with.
    guard openFiles < 8 else { return }
    throw .tooFewOpenFiles(allowed: openFiles, needed: needed)
  }

  private static var openFiles: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return needed }
    return Int(clamping: limit.rlim_cur)
  }
}
