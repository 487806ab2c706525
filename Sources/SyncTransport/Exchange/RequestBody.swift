/// What a request carries. Its length is known, and it can be read again from its beginning, since
/// a request may have to be sent twice.
package struct RequestBody: Sendable {
  /// How many bytes there are; sent as `Content-Length`.
  package let length: Int64
  /// What kind of content it is; sent as `Content-Type`, in place of one among the headers.
  package let mediaType: String?
  private let parts: [Part]

  /// A part of a body that is made of several.
  package enum Part: Sendable {
    case bytes([UInt8])
    /// So many bytes, which are read from an offset on into the room that there is: some of them,
    /// unless there is no room. They are read on the transport's thread.
    case read(
      count: Int64, @Sendable (_ offset: Int64, UnsafeMutableRawBufferPointer) throws -> Int)

    fileprivate var length: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .read(let count, _): max(0, count)
      }
    }
  }

  package init(_ bytes: [UInt8], mediaType: String? = nil) {
    self.init(parts: [.bytes(bytes)], mediaType: mediaType)
  }

  /// One part after the other.
  package init(parts: [Part], mediaType: String? = nil) {
    length = parts.reduce(0) { $0 + $1.length }
    self.mediaType = mediaType
    self.parts = parts
  }

  /// Reads the bytes from a place on.
  ///
  /// - Returns: how many; 0 only at the end.
  /// - Throws: ``TransportError`` without an address, with the code `unreadableBody`, when a part
  ///   can't be read or is shorter than it was said to be.
  package func read(
    at offset: Int64, into room: UnsafeMutableRawBufferPointer
  ) throws(TransportError) -> Int {
    var offset = offset
    for part in parts {
      guard offset >= part.length else {
        let count = Int(min(Int64(room.count), part.length - offset))
        return try Self.read(part, at: offset, into: .init(rebasing: room[..<count]))
      }
      offset -= part.length
    }
    return 0
  }

  private static func read(
    _ part: Part, at offset: Int64, into room: UnsafeMutableRawBufferPointer
  ) throws(TransportError) -> Int {
    switch part {
    case .bytes(let bytes):
      let start = Int(offset)
      bytes.withUnsafeBytes {
        room.copyMemory(from: .init(rebasing: $0[start..<start + room.count]))
      }
      return room.count
    case .read(_, let body):
      do {
        let read = try body(offset, room)
        guard read > 0 || room.isEmpty else { throw unreadable("it ends too early") }
        return min(read, room.count)
      } catch let error as TransportError {
        throw error
      } catch {
        throw unreadable("\(error)")
      }
    }
  }

  private static func unreadable(_ reason: String) -> TransportError {
    TransportError(.unreadableBody, at: "", detail: reason)
  }
}
