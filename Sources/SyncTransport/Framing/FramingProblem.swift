/// Why an answer's head or the framing of its body is refused: two readers of it may disagree on
/// where the body ends, and then what one holds for the whole isn't.
package enum FramingProblem: Error, Equatable, Sendable {
  /// Where an answer begins, something else stands than a status line of HTTP/1.0 or HTTP/1.1
  /// (RFC 9112, section 4).
  case noStatusLine
  /// Two readers of its status lines find two statuses.
  case severalStatuses
  /// A header line that goes on in the next one (RFC 9112, section 5.2).
  case foldedLine
  /// A carriage return amid a header line (RFC 9112, section 2.2), or a zero byte.
  case strayControl
  /// White space before a header's colon (RFC 9112, section 5.1).
  case spaceBeforeColon
  /// A `Content-Length` that isn't a decimal number.
  case badLength(String)
  /// Lengths that aren't equal.
  case severalLengths
  /// A `Transfer-Encoding` other than `chunked`, once and alone.
  case badCoding(String)
  /// `Content-Length` and `Transfer-Encoding`.
  case lengthAndCoding
  /// `Transfer-Encoding` in an answer of HTTP/1.0 or HTTP/2, which don't know it.
  case codingInOtherVersion
  /// A chunk's size isn't a hexadecimal number, with or without extensions.
  case badChunkSize
  /// Something else than a line break follows a chunk.
  case badChunkEnd
  /// The fields after the last chunk are broken.
  case badTrailer
  /// Extensions or a trailer without end.
  case tooMuchBesideChunks
  /// More bytes of a body than its head declared.
  case longerThanDeclared
}

extension FramingProblem: CustomStringConvertible {
  /// What is wrong, for the brackets of a sentence.
  package var description: String {
    switch self {
    case .noStatusLine: "it doesn't begin with a status line of HTTP/1.1"
    case .severalStatuses: "it tells two statuses"
    case .foldedLine: "a header goes on in a second line"
    case .strayControl: "a carriage return or a zero byte amid a header"
    case .spaceBeforeColon: "white space before a header's colon"
    case .badLength(let text): "its Content-Length '\(text.prefix(40))' isn't a number"
    case .severalLengths: "it tells two lengths"
    case .badCoding(let text): "its Transfer-Encoding '\(text.prefix(40))' isn't just 'chunked'"
    case .lengthAndCoding: "it has a Content-Length and a Transfer-Encoding"
    case .codingInOtherVersion: "Transfer-Encoding belongs to HTTP/1.1 only"
    case .badChunkSize: "the size of a chunk isn't a number"
    case .badChunkEnd: "a chunk doesn't end where its size says"
    case .badTrailer: "broken fields after the last chunk"
    case .tooMuchBesideChunks: "too much stands beside the chunks"
    case .longerThanDeclared: "its body is longer than declared"
    }
  }
}
