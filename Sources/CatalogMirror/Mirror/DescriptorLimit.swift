private import Foundation

/// How many files this process may have open, and so how many downloads at once it can afford.
enum DescriptorLimit {
  /// What a run has open besides its downloads: the folder, its index and lock, the staging area,
  /// directories that are worked in, finished files that wait for their flush, the standard
  /// streams.
  private static let others = 32

  /// The most downloads at once, each with a socket and a file; at least one.
  static var downloads: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 1 }
    return max(1, (Int(clamping: limit.rlim_cur) - others) / 2)
  }
}
