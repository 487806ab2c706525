/// A body as it travels: takes its framing off, and counts for itself whether it came whole.
struct WireBody {
  private var rest: Rest

  private enum Rest {
    /// So many bytes are still to come.
    case bytes(Int64)
    case chunks(ChunkDecoder)
    /// Whatever comes, until somebody else says that it's the end.
    case open
  }

  init(_ framing: Framing) {
    rest =
      switch framing {
      case .noBody: .bytes(0)
      case .length(let length): .bytes(length)
      case .chunked: .chunks(ChunkDecoder())
      case .multiplexed, .untilClose: .open
      }
  }

  /// Whether nothing is missing, as far as the framing tells.
  var isWhole: Bool {
    switch rest {
    case .bytes(let left): left == 0
    case .chunks(let decoder): decoder.isAtEnd
    case .open: true
    }
  }

  /// Whether nothing more may come, by the head alone.
  var isOver: Bool {
    if case .bytes(0) = rest { true } else { false }
  }

  var hasExcess: Bool {
    if case .chunks(let decoder) = rest { decoder.hasExcess } else { false }
  }

  /// Takes the next bytes, and hands on those of the body.
  ///
  /// - Throws: ``FramingProblem``, or what `deliver` threw.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch rest {
    case .bytes(let left):
      guard Int64(bytes.count) <= left else { throw FramingProblem.longerThanDeclared }
      rest = .bytes(left - Int64(bytes.count))
      try deliver(bytes)
    case .chunks(var decoder):
      defer { rest = .chunks(decoder) }
      try decoder.take(bytes, deliver: deliver)
    case .open: try deliver(bytes)
    }
  }
}

/// Takes a body out of its chunks (RFC 9112, section 7.1).
///
/// libcurl would do it, but it reads `4 4` and `4xyz` as a size of 4, and skips what it doesn't
/// know. Here everything that isn't in the grammar is an error, but for blanks after a size, which
/// old servers pad it with.
package struct ChunkDecoder {
  private var state = State.size(nil)
  /// Bytes of the line that is read, or of the whole trailer.
  private var beside = 0
  /// Whether bytes came after the end.
  package private(set) var hasExcess = false

  private enum State: Equatable {
    /// Within a size; `nil` before its first digit.
    case size(Int64?)
    /// After a size, where only blanks, an extension or the line's end may follow.
    case padding(Int64)
    /// Within an extension, whose meaning nobody asked for.
    case extensions(Int64)
    /// After the carriage return of a size's line.
    case sizeEnd(Int64)
    /// Within a chunk of which so many bytes are still to come.
    case data(Int64)
    case dataReturn
    case dataEnd
    /// At the start of a trailer's line: a field, or the end of everything.
    case trailerLine
    case trailerField
    case trailerFieldEnd
    case lastEnd
    case over
  }

  /// The most bytes of a size's line, and of a trailer.
  private static let mostBeside = 16 * 1024

  package init() {}

  package var isAtEnd: Bool { state == .over }

  /// Takes the next bytes as they travel, and hands on those of the body.
  ///
  /// - Throws: ``FramingProblem``, or what `deliver` threw.
  package mutating func take(
    _ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var rest = bytes[...]
    while let byte = rest.first, !hasExcess {
      if case .data(let left) = state {
        let count = Int(min(left, Int64(rest.count)))
        state = left == Int64(count) ? .dataReturn : .data(left - Int64(count))
        try deliver(UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
        rest = rest.dropFirst(count)
      } else {
        try step(byte)
        rest.removeFirst()
      }
    }
  }

  private mutating func step(_ byte: UInt8) throws(FramingProblem) {
    beside += 1
    guard beside <= Self.mostBeside else { throw .tooMuchBesideChunks }
    switch state {
    case .size, .padding, .extensions, .sizeEnd: try stepInSize(byte)
    case .data, .dataReturn:
      guard byte == Self.carriageReturn else { throw .badChunkEnd }
      state = .dataEnd
    case .dataEnd:
      guard byte == Self.lineFeed else { throw .badChunkEnd }
      begin(.size(nil))
    case .trailerLine, .trailerField, .trailerFieldEnd, .lastEnd: try stepInTrailer(byte)
    case .over: hasExcess = true
    }
  }

  private mutating func stepInSize(_ byte: UInt8) throws(FramingProblem) {
    switch (state, byte) {
    case (.size(let size), _) where Self.digit(byte) != nil:
      state = .size(try Self.longer(size ?? 0, by: Self.digit(byte) ?? 0))
    case (.size(let size?), Self.carriageReturn), (.padding(let size), Self.carriageReturn),
      (.extensions(let size), Self.carriageReturn):
      state = .sizeEnd(size)
    case (.size(let size?), 0x20), (.size(let size?), 0x09), (.padding(let size), 0x20),
      (.padding(let size), 0x09):
      state = .padding(size)
    case (.size(let size?), Self.semicolon), (.padding(let size), Self.semicolon):
      state = .extensions(size)
    case (.extensions, 0x20...), (.extensions, 0x09): break
    case (.sizeEnd(let size), Self.lineFeed): begin(size == 0 ? .trailerLine : .data(size))
    default: throw .badChunkSize
    }
  }

  private mutating func stepInTrailer(_ byte: UInt8) throws(FramingProblem) {
    switch (state, byte) {
    case (.trailerLine, Self.carriageReturn): state = .lastEnd
    case (.trailerLine, _) where byte.isTokenCharacter: state = .trailerField
    case (.trailerField, Self.carriageReturn): state = .trailerFieldEnd
    case (.trailerField, 0x20...), (.trailerField, 0x09): break
    case (.trailerFieldEnd, Self.lineFeed): state = .trailerLine
    case (.lastEnd, Self.lineFeed): begin(.over)
    default: throw .badTrailer
    }
  }

  private mutating func begin(_ next: State) {
    state = next
    beside = 0
  }

  private static func longer(_ size: Int64, by digit: Int64) throws(FramingProblem) -> Int64 {
    guard size <= Int64.max >> 4 else { throw .badChunkSize }
    return size << 4 | digit
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let semicolon = UInt8(ascii: ";")
}
