/// Finds the numbers of promises, which stand in lists that the package doesn't have: as a remark in
/// brackets, and in names of tests.
enum PromiseNumbers {
  /// The lines that hold one, counted from 1.
  static func lines(of bytes: [UInt8]) -> [Int] {
    var line = 1
    var found: [Int] = []
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "(") where isRemark(bytes[(index + 1)...]): found.append(line)
      case UInt8(ascii: "t") where isTest(bytes[index...]): found.append(line)
      default: break
      }
    }
    return found
  }

  /// A number, alone in its brackets or the first of several.
  private static func isRemark(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let rest = afterNumber(bytes) else { return false }
    return [")", ", ", " to ", " and "].contains { rest.starts(with: Array($0.utf8)) }
  }

  private static func isTest(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.starts(with: Array("test".utf8)), let rest = afterNumber(bytes.dropFirst(4)),
      let next = rest.first
    else { return false }
    return next == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(next)
  }

  private static func afterNumber(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let letter = bytes.first, "CMRDPQ".utf8.contains(letter) else { return nil }
    let rest = bytes.dropFirst()
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return (1...2).contains(digits.count) ? rest.dropFirst(digits.count) : nil
  }
}
