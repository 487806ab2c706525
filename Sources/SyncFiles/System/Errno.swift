import SyncSystem

/// What a system call answered instead of a result.
package struct Errno: Error, Hashable {
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// What the call that has just failed on this thread left behind.
  static var current: Errno { Errno(code: errno) }

  package var text: String {
    switch self {
    case .controlFolder: "it is the mirror's own folder"
    case .planted: "another user may have put there, or on the way, what leads elsewhere"
    case .unread: "nobody reads it"
    default: String(cString: strerror(code))
    }
  }

  /// Lets `catch Errno.absent` pick one answer out of errors of any type.
  package static func ~= (errno: Errno, error: any Error) -> Bool { error as? Errno == errno }

  package static let absent = Errno(code: ENOENT)
  package static let exists = Errno(code: EEXIST)
  /// A component of the path, or what should be one, is no directory.
  package static let notADirectory = Errno(code: ENOTDIR)
  package static let isADirectory = Errno(code: EISDIR)
  package static let notEmpty = Errno(code: ENOTEMPTY)
  package static let link = Errno(code: ELOOP)
  package static let otherFileSystem = Errno(code: EXDEV)
  package static let nameTooLong = Errno(code: ENAMETOOLONG)
  /// What opening a socket answers.
  package static let noDevice = Errno(code: ENXIO)
  /// What reading a FIFO at a place in it answers.
  package static let illegalSeek = Errno(code: ESPIPE)
  /// The name holds bytes that the file system can't write.
  package static let illegalBytes = Errno(code: EILSEQ)
  /// The file system, or its server, keeps no locks.
  package static let noLocks = Errno(code: ENOLCK)
  /// The call makes no sense, or isn't known here.
  package static let invalid = Errno(code: EINVAL)
  package static let noSuchCall = Errno(code: ENOSYS)
  package static let notSupported = Errno(code: ENOTSUP)
  /// What a file system answers to a request for files that it doesn't know.
  package static let noTerminal = Errno(code: ENOTTY)
  package static let wouldBlock = Errno(code: EWOULDBLOCK)
  package static let again = Errno(code: EAGAIN)
  package static let notPermitted = Errno(code: EPERM)
  package static let noRights = Errno(code: EACCES)
  package static let readOnly = Errno(code: EROFS)
  package static let noSpace = Errno(code: ENOSPC)
  /// This user's share of it is full.
  package static let overQuota = Errno(code: EDQUOT)
  package static let fileTooLarge = Errno(code: EFBIG)
  package static let tooManyOpenFiles = Errno(code: EMFILE)
  package static let tooManyOpenFilesOnSystem = Errno(code: ENFILE)
  package static let inputOutput = Errno(code: EIO)
  package static let stale = Errno(code: ESTALE)
  /// No answer of the system's but of ours: what was opened as a part of the tree is `.mirror`
  /// itself, by a name that the file system holds for the same.
  package static let controlFolder = Errno(code: -1)
  /// No answer of the system's but of ours: a link or a file isn't this user's own, and somebody
  /// may have planted it.
  package static let planted = Errno(code: -2)
  /// No answer of the system's but of ours: nobody reads the FIFO, and it was waited for long
  /// enough.
  package static let unread = Errno(code: -3)
  package static let interrupted = Errno(code: EINTR)
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
