import SyncSystem

/// Where the two streams lead to.
struct Outlets {
  let output: Outlet
  let errors: Outlet
  var areOne: Bool { output === errors }

  /// Streams that are closed are opened to nowhere, so that nothing else takes their place.
  init() {
    var closed: [Int32: Outlet.End] = [:]
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      closed[descriptor] = .failed(String(cString: strerror(errno)))
      _ = SyncSystem.open("/dev/null", O_RDWR)
    }
    output = Outlet(end: closed[STDOUT_FILENO])
    // In one place, lines stay in their order.
    let areOne = closed.isEmpty && Self.place(STDOUT_FILENO) == Self.place(STDERR_FILENO)
    errors = areOne ? output : Outlet(end: closed[STDERR_FILENO])
  }

  private static func place(_ descriptor: Int32) -> [UInt64] {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return [UInt64(descriptor)] }
    return [UInt64(facts.st_dev), UInt64(facts.st_ino)]
  }
}
