import CatalogMirror
import Foundation
import SyncFetching

/// Reads the values of options. Each throws a sentence that says what would have been right.
enum Value {
  /// A whole number from 0 up.
  static func count(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw UsageError(description: "'\(text)' is no number; give one from 0 up")
    }
    return number
  }

  /// A whole number from 1 up.
  static func positive(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 1 else {
      throw UsageError(description: "'\(text)' won't do; give a number from 1 up")
    }
    return number
  }

  /// A number of bytes from 1 up, with K, M, G or T for powers of 1,024.
  static func size(_ text: String) throws -> Int64 {
    let wrong = UsageError(description: "'\(text)' is no size; write 500K, 20M, 4G or 1T")
    guard let last = text.last else { throw wrong }
    let shifts: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = shifts[Character(last.uppercased())]
    let digits = shift == nil ? Substring(text) : text.dropLast()
    guard let number = Int64(digits), number > 0 else { throw wrong }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !overflow else { throw wrong }
    return bytes
  }

  /// A time: seconds, or with s, m, h or d.
  static func duration(_ text: String) throws -> Duration {
    let wrong = UsageError(description: "'\(text)' is no time; write 90s, 30m, 12h or 7d")
    guard let last = text.last else { throw wrong }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let digits = units[last] == nil ? Substring(text) : text.dropLast()
    guard let number = Int64(digits), number >= 0, number < 100_000_000 else { throw wrong }
    return .seconds(number * (units[last] ?? 1))
  }

  /// A limit on removals: a number, a share in percent, or `all`.
  static func removal(
    _ text: String, besides said: MirrorOptions.MaximumRemoval
  ) throws -> MirrorOptions.MaximumRemoval {
    guard said != .never else { throw contradiction }
    if text == "all" { return .all }
    if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
      return .share(percent / 100)
    }
    guard let number = Int(text), number >= 0 else {
      throw UsageError(description: "'\(text)' is no limit; write 100, 20% or all")
    }
    return .count(number)
  }

  /// That nothing is to be removed.
  static func noRemoval(
    besides said: MirrorOptions.MaximumRemoval
  ) throws -> MirrorOptions.MaximumRemoval {
    guard said == .guarded || said == .never else { throw contradiction }
    return .never
  }

  private static let contradiction = UsageError(
    description: "--max-delete and --no-delete contradict each other; say one of them")

  /// One of a few words.
  static func oneOf(_ words: [String], _ text: String) throws -> String {
    guard words.contains(text) else {
      throw UsageError(
        description: "'\(text)' is unknown; choose one of \(words.joined(separator: ", "))")
    }
    return text
  }

  /// One of the words of a type.
  static func raw<Word: RawRepresentable<String> & CaseIterable>(_ text: String) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(description: "'\(text)' is unknown; choose one of \(words)")
    }
    return word
  }

  /// Header lines: one as written, or those of a file.
  static func headers(_ text: String) throws -> [MirrorOptions.Access.Header] {
    guard text.hasPrefix("@") else { return [try header(text)] }
    let path = String(text.dropFirst())
    guard let lines = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw UsageError(description: "the header file '\(path)' can't be read; check its name")
    }
    return try lines.split(whereSeparator: \.isNewline).map { try header(String($0)) }
  }

  private static func header(_ line: String) throws -> MirrorOptions.Access.Header {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, !parts[0].contains(where: \.isWhitespace) else {
      // The line isn't shown: it may hold a secret.
      throw UsageError(description: "a header is written 'Name: value'")
    }
    return MirrorOptions.Access.Header(
      name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
  }
}
