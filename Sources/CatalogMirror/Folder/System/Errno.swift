#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a system call answered instead of a result.
struct Errno: Error, Equatable {
  let code: Int32

  /// What the call that has just failed on this thread left behind.
  static var current: Errno { Errno(code: errno) }

  /// The system's words for it.
  var text: String { String(cString: strerror(code)) }

  /// Lets `catch Errno.absent` pick one answer out of errors of any type.
  static func ~= (errno: Errno, error: any Error) -> Bool { error as? Errno == errno }

  static let absent = Errno(code: ENOENT)
  static let exists = Errno(code: EEXIST)
  static let notADirectory = Errno(code: ENOTDIR)
  static let isADirectory = Errno(code: EISDIR)
  static let notEmpty = Errno(code: ENOTEMPTY)
  static let link = Errno(code: ELOOP)
  static let otherFileSystem = Errno(code: EXDEV)
  static let nameTooLong = Errno(code: ENAMETOOLONG)
  /// What opening a socket answers.
  static let noDevice = Errno(code: ENXIO)
  /// What reading a FIFO at a place in it answers.
  static let illegalSeek = Errno(code: ESPIPE)
  static let invalid = Errno(code: EINVAL)
  static let noSuchCall = Errno(code: ENOSYS)
  static let notSupported = Errno(code: ENOTSUP)
  static let wouldBlock = Errno(code: EWOULDBLOCK)
  static let again = Errno(code: EAGAIN)
  static let notPermitted = Errno(code: EPERM)
  static let noRights = Errno(code: EACCES)
  static let readOnly = Errno(code: EROFS)
  static let noSpace = Errno(code: ENOSPC)
  static let overQuota = Errno(code: EDQUOT)
  static let tooManyOpenFiles = Errno(code: EMFILE)
  static let tooManyOpenFilesOnSystem = Errno(code: ENFILE)
  static let inputOutput = Errno(code: EIO)
  static let stale = Errno(code: ESTALE)
  static let interrupted = Errno(code: EINTR)
}

/// Calls again for as long as a signal interrupts the call.
func retrying<Number: SignedInteger>(_ call: () -> Number) throws(Errno) -> Number {
  while true {
    let result = call()
    if result != -1 { return result }
    let failure = Errno.current
    guard failure == .interrupted else { throw failure }
  }
}

/// Lends `bytes` to C, ended by NUL. The bytes hold none themselves: names come from the system or
/// from validated paths.
func withTerminated<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
    let raw = UnsafeMutableRawBufferPointer(buffer)
    raw.copyBytes(from: bytes)
    raw[bytes.count] = 0
    guard let start = buffer.baseAddress else { preconditionFailure("the buffer is never empty") }
    return body(UnsafePointer(start))
  }
}
