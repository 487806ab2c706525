import Console

/// What comes on standard input.
enum StandardInput {
  /// All of it.
  static func bytes() throws -> [UInt8] {
    guard let input = FileBytes(of: "/dev/stdin") else {
      throw ProgramProblem.unreadable("standard input")
    }
    return input.bytes
  }
}
