package import SyncFiles
private import SyncSystem

/// Where the bytes of a payload come from that isn't in memory.
package protocol PayloadSource: Sendable {
  /// Fills the beginning of `buffer`, which isn't empty, with the next bytes, and says how many
  /// they are: 0 at the end, and only there. Blocks until some have come.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(PayloadProblem) -> Int
}

extension PayloadSource {
  /// The next bytes, at most so many; none at the end, and only there.
  mutating func piece(of length: Int) throws(PayloadProblem) -> [UInt8] {
    var problem: PayloadProblem?
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      do throws(PayloadProblem) {
        count = try read(into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return bytes
  }
}

/// An open file, a pipe or a socket, read from its current place to its end.
package struct DescriptorSource: PayloadSource {
  private let raw: Int32
  private let fileSystem: any FileSystem
  /// Closes the file when it isn't read any more.
  private let owner: Descriptor?
  var isCancelled: @Sendable () -> Bool = { Task.isCancelled }

  package init(_ file: Descriptor) {
    raw = file.raw
    fileSystem = file.fileSystem
    owner = file
  }

  private init(raw: Int32, of fileSystem: any FileSystem) {
    self.raw = raw
    self.fileSystem = fileSystem
    owner = nil
  }

  package static let standardInput = DescriptorSource(raw: 0, of: SystemFileSystem())

  package mutating func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(PayloadProblem) -> Int {
    if owner == nil { try wait() }
    return try PayloadProblem.orUnreadable { () throws(Errno) in
      try fileSystem.read(raw, into: buffer)
    }
  }

  /// Waits until something has come, or whoever reads is cancelled: a pipe may be silent for ever.
  private func wait() throws(PayloadProblem) {
    var event = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&event, 1, 100)
      if count > 0 || count < 0 && errno != EINTR { return }
      if isCancelled() { throw .unreadable(reason: "it was cancelled") }
    }
  }
}

extension PayloadProblem {
  static func orUnreadable<Result>(
    _ body: () throws(Errno) -> Result
  ) throws(PayloadProblem) -> Result {
    do throws(Errno) { return try body() } catch { throw .unreadable(reason: error.text) }
  }
}

struct MemorySource: PayloadSource {
  let bytes: [UInt8]
  private(set) var position = 0

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = bytes[position...].prefix(buffer.count)
    buffer.copyBytes(from: piece)
    position += piece.count
    return piece.count
  }
}
