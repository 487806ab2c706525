private import SyncSystem

/// What a request carries. Its length is known, and it can be read again from its beginning, since
/// a request may have to be sent twice.
package struct RequestBody: Sendable {
  /// How many bytes there are; sent as `Content-Length`.
  package let length: Int64
  /// What kind of content it is; sent as `Content-Type`, in place of one among the headers.
  package let mediaType: String?
  private let source: Source

  private enum Source: Sendable {
    case bytes([UInt8])
    case file(CInt)
  }

  package init(_ bytes: [UInt8], mediaType: String? = nil) {
    length = Int64(bytes.count)
    self.mediaType = mediaType
    source = .bytes(bytes)
  }

  /// The first `length` bytes of a file that is open for reading. The descriptor stays the
  /// caller's, who closes it when the exchange is over; where it stands in the file doesn't matter
  /// and doesn't change. The file is read on the transport's thread.
  package init(file descriptor: CInt, length: Int64, mediaType: String? = nil) {
    self.length = max(0, length)
    self.mediaType = mediaType
    source = .file(descriptor)
  }

  /// Reads the bytes from a place on.
  ///
  /// - Returns: how many there were room for; 0 only at the end.
  /// - Throws: ``TransportError`` without an address, with the code `unreadableBody`, when the file
  ///   can't be read or is shorter than it was said to be.
  package func read(
    at offset: Int64, into room: UnsafeMutableRawBufferPointer
  ) throws(TransportError) -> Int {
    let count = Int(min(Int64(room.count), length - offset))
    guard count > 0 else { return 0 }
    switch source {
    case .bytes(let bytes):
      let start = Int(offset)
      bytes.withUnsafeBytes { room.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
      return count
    case .file(let descriptor):
      return try read(descriptor, at: offset, into: .init(rebasing: room[..<count]))
    }
  }

  private func read(
    _ descriptor: CInt, at offset: Int64, into room: UnsafeMutableRawBufferPointer
  ) throws(TransportError) -> Int {
    while true {
      let count = pread(descriptor, room.baseAddress, room.count, off_t(offset))
      if count > 0 { return count }
      guard count < 0 else {
        throw Self.unreadable("the file ends after \(offset) of \(length) bytes")
      }
      let number = errno
      if number != EINTR { throw Self.unreadable(String(cString: strerror(number))) }
    }
  }

  private static func unreadable(_ reason: String) -> TransportError {
    TransportError(.unreadableBody, at: "", detail: reason)
  }
}
