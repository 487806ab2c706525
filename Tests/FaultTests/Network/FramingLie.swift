import Foundation
import TestSupport

/// An answer whose head leaves open where its body ends, or whose chunks do.
///
/// Each is made so that a lenient reader finds a body of `cut` bytes in it, and believes that it is
/// whole.
struct FramingLie: Sendable {
  /// What is odd, in a few words.
  var name: String
  /// What the error says of it.
  var words: String
  /// The fields, of a body of which a lenient reader takes `cut` of so many bytes.
  private var fields: @Sendable (_ cut: Int, _ whole: Int) -> String
  /// The line that tells a chunk's size, where the body comes in chunks.
  private var size: (@Sendable (_ digits: String) -> String)?
  /// The line that the answer begins with.
  private var start = "HTTP/1.1 200 OK"
  /// Whether the body is cut on the way, and the connection's end its end.
  private var isCut = false

  /// The lying answer.
  func answer(_ body: [UInt8], cut: Int, type: String? = nil) -> FaultAnswer {
    var head = start + "\r\n" + fields(cut, body.count) + "\r\n"
    if let type { head += "Content-Type: \(type)\r\n" }
    var bytes = Array((head + "\r\n").utf8)
    if let size {
      bytes += Array((size(String(cut, radix: 16)) + "\r\n").utf8) + body.prefix(cut)
      bytes += Array("\r\n0\r\n\r\n".utf8)
    } else {
      bytes += isCut ? body.prefix(cut) : body[...]
    }
    return FaultAnswer([.bytes(bytes)], staysOpen: !isCut)
  }

  /// All there are.
  static let all = starts + lengths + heads + codings + chunks

  /// A status line that gives a cut body for a whole one, or the real head for one that was read.
  private static func start(_ name: String, _ line: String) -> FramingLie {
    FramingLie(
      name: name, words: "a status line", fields: { _, _ in "X-A: b" }, start: line, isCut: true)
  }

  private static let starts = [
    start("HTTP/2 in clear text", "HTTP/2 200 OK"),
    start("HTTP/2.0 in clear text", "HTTP/2.0 200 OK"),
    FramingLie(
      name: "an interim answer with two blanks", words: "a status line",
      fields: { cut, _ in
        "Content-Length: \(cut)\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: \(cut);x"
      }, start: "HTTP/1.1  100 Continue"),
  ]

  private static func length(
    _ name: String, words: String = "isn't a number",
    _ value: @escaping @Sendable (_ cut: Int, _ whole: Int) -> String
  ) -> FramingLie {
    FramingLie(name: name, words: words) { "Content-Length: " + value($0, $1) }
  }

  private static let lengths = [
    length("a semicolon") { cut, _ in "\(cut);x" },
    length("a parameter") { cut, _ in "\(cut);q=1" },
    length("letters") { cut, _ in "\(cut)abc" },
    length("two words") { cut, whole in "\(cut) \(whole)" },
    length("a plus") { cut, _ in "+\(cut)" },
    length("a fraction") { cut, _ in "\(cut).0" },
    length("an exponent") { cut, _ in "\(cut)e0" },
    length("hexadecimal") { cut, _ in "0x\(String(cut, radix: 16))" },
    length("an empty member") { cut, _ in "\(cut)," },
    length("too large a number") { _, _ in "99999999999999999999" },
    length("a list", words: "two lengths") { cut, whole in "\(cut), \(whole)" },
    FramingLie(name: "two fields", words: "two lengths") { cut, whole in
      "Content-Length: \(whole)\r\nContent-Length: \(cut)"
    },
  ]

  private static let heads = [
    length("a folded length", words: "second line") { cut, _ in "\(cut)\r\n 0" },
    FramingLie(name: "another field folded", words: "second line") { cut, _ in
      "X-A: b\r\n c\r\nContent-Length: \(cut)"
    },
    FramingLie(name: "a bare carriage return", words: "a carriage return") { cut, whole in
      "X-A: b\rContent-Length: \(whole)\r\nContent-Length: \(cut)"
    },
    FramingLie(name: "white space before the colon", words: "white space") { cut, whole in
      "Content-Length : \(whole)\r\nContent-Length: \(cut)"
    },
  ]

  private static func coding(
    _ name: String, words: String = "isn't just 'chunked'", _ fields: String
  ) -> FramingLie {
    FramingLie(name: name, words: words, fields: { _, _ in fields }, size: { $0 })
  }

  private static let codings = [
    coding("chunked twice", "Transfer-Encoding: chunked, chunked"),
    coding("chunked in two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    coding("chunked not last", "Transfer-Encoding: chunked, identity"),
    coding("a coding before", "Transfer-Encoding: gzip, chunked"),
    FramingLie(
      name: "a length and chunks", words: "a Content-Length and a Transfer-Encoding",
      fields: { "Transfer-Encoding: chunked\r\nContent-Length: \($1)" }, size: { $0 }),
  ]

  private static func chunk(
    _ name: String, _ size: @escaping @Sendable (_ digits: String) -> String
  ) -> FramingLie {
    FramingLie(
      name: name, words: "the size of a chunk",
      fields: { _, _ in "Transfer-Encoding: chunked" }, size: size)
  }

  private static let chunks = [
    chunk("two sizes") { "\($0) ffff" }, chunk("letters after a size") { "\($0)xyz" },
    chunk("a size with a prefix") { "0x\($0)" }, chunk("a size with a plus") { "+\($0)" },
    chunk("a line feed alone") { "\($0)\n\r" },
  ]
}
