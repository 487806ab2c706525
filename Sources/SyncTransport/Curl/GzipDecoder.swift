private import CSyncCurl

/// Unpacks a gzip stream (RFC 1952) as it comes, in pieces of at most 64 KiB, and knows whether it
/// has come to its end.
///
/// libcurl could unpack too, but takes a stream that is cut short for a whole one (tried with
/// 7.88), and half a catalog must never pass for all of it. Used by one thread.
package final class GzipDecoder {
  private static let room = 64 * 1024
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer

  /// Whether the last member is complete, its length and checksum right.
  package private(set) var isAtEnd = false

  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard csync_inflate_gzip(stream) == Z_OK else { preconditionFailure("no memory is left") }
    output = .allocate(byteCount: Self.room, alignment: 16)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Unpacks the next bytes and hands out what they give.
  ///
  /// - Throws: ``FramingProblem/damagedGzip``, or what `deliver` throws.
  package func feed(
    _ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
    var isFull = false
    while stream.pointee.avail_in > 0 || isFull {
      if isAtEnd {
        // A further member follows: the contents are joined (section 2.2).
        guard inflateReset(stream) == Z_OK else { throw FramingProblem.damagedGzip }
        isAtEnd = false
      }
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(Self.room)
      let code = inflate(stream, Z_NO_FLUSH)
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
        throw FramingProblem.damagedGzip
      }
      let count = Self.room - Int(stream.pointee.avail_out)
      if count > 0 { try deliver(UnsafeRawBufferPointer(rebasing: output[..<count])) }
      isAtEnd = code == Z_STREAM_END
      isFull = !isAtEnd && stream.pointee.avail_out == 0
    }
  }
}
