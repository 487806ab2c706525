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

  /// A body of which nothing has come yet.
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

  /// Whether bytes came after the end.
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
