private import CSyncSystem
private import SyncEssentials
private import SyncSystem

/// How much memory this process may address, where somebody has set a limit (`ulimit -v`).
///
/// A thread that can't be made for want of room ends nothing: the system's queues try again for
/// ever, and the run would hang. So the room is asked for before there is any thread but one.
package enum AddressSpace {
  private static let mebibyte = 1 << 20
  /// What a run's bytes take.
  private static let heap = 32 * mebibyte
  /// Threads of a run: of the transport, of the index, of the folder's queues, of the files that
  /// are being written, of the output, and the system's own, of which there are as many as
  /// processors.
  private static var threads: Int { 27 + ProcessInfo.processInfo.activeProcessorCount }

  /// Whether somebody has set a limit: then there is room for one run at a time.
  package static var isLimited: Bool { limit(ofResource: RLIMIT_AS) != nil }

  /// Makes sure that a run has room, and that it gives back what it no longer needs. To be called
  /// first of all, on the program's first thread.
  /// - Throws: ``MirrorError/tooLittleAddressSpace(allowed:needed:)``, in MiB.
  package static func prepare() throws(MirrorError) {
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

  /// `nil` when there is none.
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
