/// A path as bytes that stand in a statement, and that a function reads without taking it apart
/// first: each step is a letter, a length or place in four bytes, and the bytes of a name.
struct PathCode {
  private static let member = UInt8(ascii: "m")
  private static let element = UInt8(ascii: "e")

  static func bytes(of path: DocumentPath) -> [UInt8] {
    var bytes: [UInt8] = []
    for step in path.steps {
      switch step {
      case .member(let name):
        bytes.append(member)
        append(name.utf8.count, to: &bytes)
        bytes += name.utf8
      case .element(let place):
        bytes.append(element)
        append(place, to: &bytes)
      }
    }
    return bytes
  }

  /// No document has so many that the highest number could be meant.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    let number = number < 0 ? UInt32.max : UInt32(clamping: number)
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(number >> shift & 0xFF)) }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  enum Step {
    case member(UnsafeBufferPointer<UInt8>)
    case element(Int)
  }

  /// The next step; `nil` at the end.
  mutating func next() -> Step? {
    guard place + 5 <= bytes.count else { return nil }
    let number = bytes[place + 1..<place + 5].reduce(0) { $0 << 8 | Int($1) }
    let isMember = bytes[place] == Self.member
    place += 5
    guard isMember else { return .element(number) }
    let end = min(place + number, bytes.count)
    defer { place = end }
    return .member(UnsafeBufferPointer(rebasing: bytes[place..<end]))
  }
}
