#if os(Linux) || os(macOS)
  private import CSyncSystem
  package import SyncFiles
  private import SyncSystem

  /// A file without a name, to be read from its beginning: nobody can put other bytes in its place,
  /// and whoever doesn't read it keeps nobody waiting.
  package struct NamelessFile {
    /// Beyond all numbers under which a program that is started gets files, so that none takes
    /// another's place.
    package let descriptor: Int32

    package init(holding bytes: [UInt8] = []) throws(Errno) {
      #if os(Linux)
        let made = csync_memory_file("passed")
      #else
        // There are no files in memory; this one has its name for a moment, in the one folder that
        // every process can write to.
        var path = Array("/tmp/passed.XXXXXX".utf8CString)
        let made = mkstemp(&path)
        if made >= 0 { unlink(path) }
      #endif
      guard made >= 0 else { throw Errno(code: errno) }
      descriptor = fcntl(made, F_DUPFD_CLOEXEC, ChildProgram.mostFiles)
      let failure = errno
      SyncSystem.close(made)
      guard descriptor >= 0 else { throw Errno(code: failure) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          let failure = errno
          close()
          throw Errno(code: failure)
        }
        rest = rest.dropFirst(count)
      }
      lseek(descriptor, 0, SEEK_SET)
    }

    /// What stands at its beginning.
    package func bytes(atMost most: Int) -> [UInt8] {
      Array(unsafeUninitializedCapacity: most) { buffer, count in
        count = max(0, pread(descriptor, buffer.baseAddress, most, 0))
      }
    }

    /// Lets go of it; who has it open keeps it.
    package func close() { SyncSystem.close(descriptor) }
  }
#endif
