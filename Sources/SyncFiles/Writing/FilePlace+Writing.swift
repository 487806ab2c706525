import SyncSystem

extension FilePlace {
  /// Whether to wait no longer for whoever reads a FIFO, of the time since he read anything.
  package typealias Patience = (_ idle: Duration) -> Bool

  /// The bytes of the regular file that stands there; `nil` where none does.
  package func bytes() throws(Errno) -> [UInt8]? {
    kind == .file ? try directory.bytes(of: name) : nil
  }

  package var mayBeWritten: Bool {
    switch kind {
    case .nothing, .file:
      let here = Array(".".utf8)
      return withTerminated(here) { faccessat(directory.raw, $0, W_OK | X_OK, 0) } == 0
    case .stream: return withTerminated(name) { faccessat(directory.raw, $0, W_OK, 0) } == 0
    case .open: return true
    }
  }

  /// Writes a file whole. Where a regular file or nothing stands, whoever reads finds the old one
  /// or the new one, whole: it gets a name of its own first, and is then renamed. Anything else is
  /// written into, and stays what it is.
  ///
  /// - Parameters:
  ///   - isDurable: Whether it has to outlast a power cut from now on.
  ///   - isHopeless: Asked while a FIFO's reader is waited for.
  package func write(
    _ bytes: [UInt8], isDurable: Bool, until isHopeless: Patience
  ) throws(Errno) {
    switch kind {
    case .nothing, .file:
      try directory.replace(name, with: bytes, mode: 0o666, isDurable: isDurable)
    case .stream:
      let stream = try openStream(until: isHopeless)
      defer { withExtendedLifetime(stream) {} }
      try Self.write(bytes, to: stream.raw, isHopeless)
    case .open(let number): try Self.write(bytes, to: number, isHopeless)
    }
  }

  /// Opens what stands there, or makes a file, so that what is written comes after what it holds.
  package func openToAppend(until isHopeless: Patience) throws(Errno) -> Int32 {
    let appending = OpenFlags(rawValue: O_WRONLY | O_APPEND | O_NONBLOCK)
    switch kind {
    case .nothing:
      let opened = try directory.open(
        name: name, [appending, .creating, .exclusively], mode: 0o666)
      return try Self.duplicate(opened.raw, keeping: opened)
    case .file:
      let opened = try directory.open(name: name, appending)
      // Another one may have taken its place since the look.
      let status = try opened.status()
      guard [status.device, status.inode] == identity else { throw .planted }
      return try Self.duplicate(opened.raw, keeping: opened)
    case .stream:
      let opened = try openStream(until: isHopeless)
      return try Self.duplicate(opened.raw, keeping: opened)
    case .open(let number): return try Self.duplicate(number, keeping: directory)
    }
  }

  private static func duplicate(_ raw: Int32, keeping owner: Descriptor) throws(Errno) -> Int32 {
    let number = try retrying { fcntl(raw, F_DUPFD_CLOEXEC, 0) }
    withExtendedLifetime(owner) {}
    return number
  }

  /// Opens a device, or a FIFO once somebody reads it.
  private func openStream(until isHopeless: Patience) throws(Errno) -> Descriptor {
    let start = ContinuousClock.now
    while true {
      do throws(Errno) {
        return try directory.openStream(name)
      } catch .noDevice {
        // Of a FIFO it says that nobody has it open to read.
        guard try directory.status(of: name)?.kind == .special(.fifo) else { throw .noDevice }
        guard !isHopeless(ContinuousClock.now - start) else { throw .unread }
        poll(nil, 0, Self.look)
      }
    }
  }

  /// How often somebody who waits looks whether that is still of use, in milliseconds.
  private static let look: Int32 = 50

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, _ isHopeless: Patience
  ) throws(Errno) {
    var (rest, last) = (bytes[...], ContinuousClock.now)
    while !rest.isEmpty {
      // A pipe that is full is looked at, for it may be one that waits.
      var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&event, 1, look) == 0 {
        guard !isHopeless(ContinuousClock.now - last) else { throw .unread }
        continue
      }
      // No more than a pipe takes at once that has any room.
      let count = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes {
        SyncSystem.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        (rest, last) = (rest.dropFirst(count), .now)
      } else if errno != EINTR, errno != EAGAIN {
        throw .current
      }
    }
  }
}

extension Descriptor {
  /// The bytes of the regular file of this name; `nil` where there is none.
  package func bytes(of name: [UInt8]) throws(Errno) -> [UInt8]? {
    do {
      let file = try open(name: name, [.reading, .withoutWaiting])
      guard try file.status().kind == .file else { return nil }
      var bytes: [UInt8] = []
      try file.readAll { bytes += $0 }
      return bytes
    } catch .absent {
      return nil
    }
  }

  /// Puts a file of these bytes in place of the one of this name, if there is one, in one step.
  package func replace(
    _ name: [UInt8], with bytes: [UInt8], mode: UInt32, isDurable: Bool
  ) throws(Errno) {
    // Beside the file, so that the rename stays on one file system; hidden and of another ending,
    // so that who reads a directory of such files passes it over; with the process in its name, so
    // that two writers don't share it.
    let draft = Array(".".utf8) + name + Array(".\(Self.currentProcess).partial".utf8)
    do { try unlink(draft) } catch .absent {}
    do throws(Errno) {
      let file = try open(name: draft, .writingAnew, mode: mode)
      try file.write(bytes)
      if isDurable { try file.flush() }
      try rename(draft, to: self, name, .replacing)
      // This descriptor may be only for opening names.
      if isDurable { try open(name: Array(".".utf8), [.reading, .directory]).flush() }
    } catch {
      try? unlink(draft)
      throw error
    }
  }

  /// Opens what is no regular file to write into it. What Linux shows as a link to an open file is
  /// opened through it.
  fileprivate func openStream(_ name: [UInt8]) throws(Errno) -> Descriptor {
    let isLink = try status(of: name)?.kind == .symbolicLink
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (isLink ? O_APPEND : O_NOFOLLOW)
    let number = try retrying { withTerminated(name) { openat(raw, $0, flags) } }
    return Descriptor(number, of: fileSystem)
  }
}
