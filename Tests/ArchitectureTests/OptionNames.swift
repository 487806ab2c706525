/// Finds names of options of a program in text: two dashes and a letter.
enum OptionNames {
  /// The lines that hold one, counted from 1.
  static func lines(of bytes: [UInt8]) -> [Int] {
    var line = 1
    var found: [Int] = []
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      let place = bytes[index...].prefix(3)
      guard place.starts(with: Array("--".utf8)), let letter = place.dropFirst(2).first,
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
      else { continue }
      found.append(line)
    }
    return found
  }
}
