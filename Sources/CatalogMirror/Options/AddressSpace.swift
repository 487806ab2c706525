private import CSyncSystem
private import SyncEssentials
private import SyncSystem

/// How much memory this process may address, where somebody has set a limit (`ulimit -v`).
///
/// A thread that can't be made for want of room ends nothing: the system's queues try again for
/// ever, and the run would hang. So the room is asked for before there is any thread but one.
enum AddressSpace {
  private static let mebibyte = 1 << 20
  /// What a run's bytes take.
  private static let heap = 32 * mebibyte
  /// Threads of a run: of the transport, of the index, of the folder's queues, of the files that
  /// are being written, of the output, and the system's own, of which there are as many as
  /// processors.
  private static var threads: Int { 27 + ProcessInfo.processInfo.activeProcessorCount }

  /// Whether somebody has set a limit: then there is room for one run at a time.
  static var isLimited: Bool { limit(ofResource: RLIMIT_AS) != nil }

  /// Makes sure that a run has room, and that it gives back what it no longer needs. To be called
  /// first of all, on the program's first thread.
  /// - Throws: ``MirrorError/tooLittleAddressSpace(allowed:needed:)``, in MiB.
  static func prepare() throws(MirrorError) {
    #if os(Linux)
      csync_give_back_large_blocks()
    #endif
    guard let allowed = limit(ofResource: RLIMIT_AS) else { return }
    #if os(Linux)
      csync_share_one_heap()
    #endif
    // The stacks of new threads are as large as the first one's may become, or 2 MiB:
    // pthread_create(3).
    let stack = limit(ofResource: RLIMIT_STACK) ?? 2 * mebibyte
    let (stacks, isTooMuch) = threads.multipliedReportingOverflow(by: stack)
    let (sum, overflows) = stacks.addingReportingOverflow(heap)
    let needed = isTooMuch || overflows ? Int.max : sum
    guard hasRoom(for: needed) else {
      throw .tooLittleAddressSpace(allowed: allowed / mebibyte, needed: needed / mebibyte)
    }
  }

  private static func hasRoom(for bytes: Int) -> Bool {
    let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
    guard let place = mmap(nil, bytes, PROT_NONE, flags, -1, 0), place != MAP_FAILED else {
      return false
    }
    munmap(place, bytes)
    return true
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
  #else
    private typealias Resource = Int32
  #endif

  private static func limit(ofResource resource: Resource) -> Int? {
    var limit = rlimit()
    #if canImport(Glibc)
      let number = __rlimit_resource_t(resource.rawValue)
    #else
      let number = resource
    #endif
    guard getrlimit(number, &limit) == 0, limit.rlim_cur < rlim_t(Int.max) else { return nil }
    return Int(limit.rlim_cur)
  }
}

/// How many files this process may have open, and so how many downloads at once it can afford.
enum DescriptorLimit {
  /// What a run has open besides its downloads: the folder, its index and lock, the staging area,
  /// directories that are worked in, finished files that wait for their flush, the standard
  /// streams.
  private static let others = 32
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

  /// How many more files each of so many runs may have open beside so many downloads at once.
  static func spare(besideDownloads downloads: Int, ofRunsAtOnce runs: Int) -> Int {
    max(0, openFiles / max(1, runs) - others - 2 * downloads)
  }

  /// How many runs at once there are enough of them for; at least one.
  static var runs: Int { max(1, openFiles / needed) }

  /// Makes sure that a run with one download has enough of them: with fewer, not only our calls
  /// fail but those of the system's libraries as well, and some end the program when one does.
  /// - Throws: ``MirrorError/tooFewOpenFiles(allowed:needed:)``.
  static func check() throws(MirrorError) {
    guard openFiles >= needed else {
      throw .tooFewOpenFiles(allowed: openFiles, needed: needed)
    }
  }

  /// Makes sure that the program's threads can be started: with fewer, the system's own queues end
  /// it, without a word.
  /// - Throws: ``MirrorError/tooFewOpenFiles(allowed:needed:)``.
  static func checkForThreads() throws(MirrorError) {
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
