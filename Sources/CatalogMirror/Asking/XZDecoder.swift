#if canImport(CSyncLZMA)
  private import CSyncLZMA

  /// Unpacks a file in xz ("The .xz File Format") as it comes, in pieces of at most 64 KiB, and
  /// knows whether it has come to its end. Used by one thread.
  final class XZDecoder {
    private static let room = 64 * 1_024
    private let stream: UnsafeMutablePointer<lzma_stream>
    private let output: UnsafeMutableRawBufferPointer
    /// Whether the last member is complete, and its check right.
    private(set) var isAtEnd = false
    private let hasBegun: Bool

    init() {
      stream = .allocate(capacity: 1)
      stream.initialize(to: lzma_stream())
      hasBegun = csync_lzma_begin(stream, UInt64(UnpackingProblem.mostMemory)) == LZMA_OK
      output = .allocate(byteCount: Self.room, alignment: 16)
    }

    deinit {
      lzma_end(stream)
      stream.deallocate()
      output.deallocate()
    }

    /// Unpacks the next bytes and hands out what they give.
    ///
    /// - Throws: ``UnpackingProblem``, or what `deliver` throws.
    func feed(
      _ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      stream.pointee.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_in = bytes.count
      try run(LZMA_RUN, deliver)
      stream.pointee.next_in = nil
    }

    /// No more bytes come: what was fed was all, or ``isAtEnd`` stays `false`.
    func finish(deliver: (UnsafeRawBufferPointer) throws -> Void) throws {
      try run(LZMA_FINISH, deliver)
    }

    private func run(
      _ action: lzma_action, _ deliver: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      guard hasBegun else { throw UnpackingProblem.memory }
      var isFull = false
      repeat {
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = Self.room
        let code = lzma_code(stream, action)
        let count = Self.room - stream.pointee.avail_out
        if count > 0 { try deliver(UnsafeRawBufferPointer(rebasing: output[..<count])) }
        isAtEnd = code == LZMA_STREAM_END
        // Nothing goes on where more bytes are needed: more come, or the file was cut.
        if isAtEnd || code == LZMA_BUF_ERROR { return }
        guard code == LZMA_OK else {
          throw code == LZMA_MEMLIMIT_ERROR ? UnpackingProblem.memory : .damaged
        }
        isFull = stream.pointee.avail_out == 0
      } while stream.pointee.avail_in > 0 || isFull || action == LZMA_FINISH
    }
  }
#else
  /// There is no library for it here.
  final class XZDecoder {
    let isAtEnd = false

    func feed(
      _ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) throws -> Void
    ) throws { throw UnpackingProblem.unread }

    func finish(deliver: (UnsafeRawBufferPointer) throws -> Void) throws {
      throw UnpackingProblem.unread
    }
  }
#endif

/// Why a file in xz can't be unpacked.
enum UnpackingProblem: Error, Equatable {
  case damaged
  /// It takes more memory than ``mostMemory``, or than there is.
  case memory
  /// Nothing here reads it.
  case unread

  /// What its highest level takes, 65 MiB, and some more.
  static let mostMemory = 80 << 20
}
