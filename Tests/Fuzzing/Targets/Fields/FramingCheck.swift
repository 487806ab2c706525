import SyncTransport

/// What tells where a body ends: the input is the value of a `Content-Length`, and a body in
/// chunks.
enum FramingCheck {
  /// What is taken for a length is decimal numbers, all the same.
  static func checkLength(_ text: String) throws {
    guard !text.utf8.contains(where: { $0 == 0x0A }) else { return }
    var block = HeaderBlock()
    for line in ["HTTP/1.1 200 OK\n", "Content-Length:\(text)\n", "\n"] {
      do {
        try Array(line.utf8).withUnsafeBytes { try block.take($0) }
      } catch is FramingProblem { return }
    }
    guard let framing = try? Framing(block, status: 200, isHead: false) else { return }
    guard case .length(let length) = framing else { throw Violation("a length is overlooked") }
    let numbers = text.utf8.split(whereSeparator: { ", \t\r".utf8.contains($0) })
    for number in numbers {
      let value = number.reduce(0) { $0 &* 10 &+ Int64($1) &- 0x30 }
      try require(
        number.allSatisfy { (0x30...0x39).contains($0) } && value == length,
        "'\(text)' is taken for a length of \(length)")
    }
    try require(!numbers.isEmpty, "a length was made up")
  }

  /// What a body in chunks came to.
  private struct End: Equatable {
    var body: [UInt8] = []
    var isWhole = false
    var hasExcess = false
    var problem: FramingProblem?
  }

  /// However the bytes travel, they come to the same; and chunked again, a body is the same body.
  static func checkChunks(_ input: [UInt8]) throws {
    let whole = try end(of: input, in: max(1, input.count))
    try require(try end(of: input, in: 1) == whole, "a body depends on how it's cut up")
    try require(whole.body.count <= input.count, "a body is longer than its chunks")
    try require(whole.problem == nil || !whole.isWhole, "a broken body is whole")
    guard whole.isWhole else { return }
    let size = String(whole.body.count, radix: 16)
    let chunk = whole.body.isEmpty ? [] : Array("\(size)\r\n".utf8) + whole.body + [13, 10]
    let again = try end(of: chunk + Array("0\r\n\r\n".utf8), in: 7)
    try require(again.body == whole.body && again.isWhole, "a body reads as another")
  }

  private static func end(of input: [UInt8], in step: Int) throws -> End {
    var decoder = ChunkDecoder()
    var end = End()
    do {
      for start in stride(from: 0, to: input.count, by: step) {
        try input[start..<min(start + step, input.count)].withUnsafeBytes { bytes in
          try decoder.take(bytes) { end.body += $0 }
        }
      }
    } catch let problem as FramingProblem {
      end.problem = problem
    }
    (end.isWhole, end.hasExcess) = (decoder.isAtEnd, decoder.hasExcess)
    return end
  }
}
