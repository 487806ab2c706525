import SyncTransport

/// A compressed catalog: the input is what came.
enum GzipTarget {
  static func check(_ input: [UInt8]) throws {
    let whole = try unpack(input, piece: max(input.count, 1))
    let choice = Int(input.fingerprint % 61) + 1
    let pieces = try unpack(input, piece: choice)
    // How much comes out before damage is seen depends on the pieces.
    guard let whole, let pieces else { return }
    try require(whole == pieces, "in pieces of \(choice) bytes it unpacks to something else")
  }

  private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var isAtEnd = false
  }

  private struct TooLong: Error {}

  private static func unpack(_ input: [UInt8], piece: Int) throws -> Outcome? {
    let decoder = GzipDecoder()
    var outcome = Outcome()
    do {
      for start in stride(from: 0, to: input.count, by: piece) {
        try input[start..<min(start + piece, input.count)].withUnsafeBytes { bytes in
          try decoder.feed(bytes) { output in
            try require(output.count <= 64 << 10, "a piece is longer than the room for it")
            outcome.bytes += output
            guard outcome.bytes.count < 1 << 20 else { throw TooLong() }
          }
        }
      }
      outcome.isAtEnd = decoder.isAtEnd
    } catch FramingProblem.damagedGzip {
      return nil
    } catch is TooLong {
      return nil
    }
    return outcome
  }
}
