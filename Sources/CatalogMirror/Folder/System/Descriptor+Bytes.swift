#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CSyncSystem

extension Descriptor {
  /// Writes all of `bytes` at the current place.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = bytes
    while !rest.isEmpty {
      let chunk = rest
      #if canImport(Darwin)
        let count = try retrying { Darwin.write(raw, chunk.baseAddress, chunk.count) }
      #elseif canImport(Musl)
        let count = try retrying { Musl.write(raw, chunk.baseAddress, chunk.count) }
      #else
        let count = try retrying { Glibc.write(raw, chunk.baseAddress, chunk.count) }
      #endif
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Writes all of `bytes` at the current place.
  func write(_ bytes: [UInt8]) throws(Errno) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(Errno) in try write(buffer) }
    }
    try result.get()
  }

  /// Hands every byte from the current place to the end to `body`, in pieces.
  func readAll(_ body: (UnsafeRawBufferPointer) -> Void) throws(Errno) {
    let buffer = Self.readBuffer()
    defer { buffer.deallocate() }
    while let piece = try readPiece(into: buffer) { body(piece) }
  }

  /// As ``readAll(_:)``, with a body that may end it by throwing.
  func readPieces(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let buffer = Self.readBuffer()
    defer { buffer.deallocate() }
    while let piece = try readPiece(into: buffer) { try body(piece) }
  }

  /// Goes back to the start, to be read again.
  func rewind() throws(Errno) {
    _ = try retrying { lseek(raw, 0, SEEK_SET) }
  }

  private static func readBuffer() -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: 256 << 10, alignment: 16)
  }

  private func readPiece(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> UnsafeRawBufferPointer? {
    let count = try retrying { read(raw, buffer.baseAddress, buffer.count) }
    return count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
  }

  /// The first bytes of a small file, at most `limit`.
  func readStart(limit: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try retrying { pread(raw, &bytes, limit, 0) }
    return Array(bytes.prefix(count))
  }

  /// Empties the file and goes back to its start.
  func truncate() throws(Errno) {
    _ = try retrying { ftruncate(raw, 0) }
    _ = try retrying { lseek(raw, 0, SEEK_SET) }
  }

  /// Cuts the file to a length; its place stays.
  func truncate(to length: Int64) throws(Errno) {
    _ = try retrying { ftruncate(raw, off_t(length)) }
  }

  /// Sets the modification time in nanoseconds since 1970; the access time stays.
  func setModified(nanoseconds: Int64) throws(Errno) {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    let unchanged = timespec(tv_sec: 0, tv_nsec: omittedTime)
    let times = [unchanged, timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))]
    _ = try retrying { futimens(raw, times) }
  }

  /// Lets the system begin to write a range back, without waiting for it.
  func startWriteBack(from offset: Int64, count: Int64) {
    #if os(Linux)
      csync_start_write_back(raw, offset, count)
    #endif
  }

  /// The bytes that this file system still has for us; those without a size of their own (some in
  /// memory or over a network) have no end.
  func freeSpace() throws(Errno) -> Int64 {
    let space = try space()
    return space.f_blocks > 0 ? Self.bytes(UInt64(space.f_bavail), of: space) : .max
  }

  /// All the bytes that this file system has; one without a size has no end.
  func capacity() throws(Errno) -> Int64 {
    let space = try space()
    return space.f_blocks > 0 ? Self.bytes(UInt64(space.f_blocks), of: space) : .max
  }

  private func space() throws(Errno) -> statvfs {
    var space = statvfs()
    _ = try retrying { fstatvfs(raw, &space) }
    return space
  }

  private static func bytes(_ blocks: UInt64, of space: statvfs) -> Int64 {
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(space.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}

// `UTIME_OMIT` is a macro that Swift doesn't import on every system: utimensat(2).
#if canImport(Darwin)
  private let omittedTime = -2
#else
  private let omittedTime = (1 << 30) - 2
#endif
