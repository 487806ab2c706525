import SyncText

/// Refuses a body as soon as one thing in it is larger than ``CatalogLimits`` allow: a value, a
/// name, a text, a tag, a line.
///
/// It looks at each byte once, keeps none, and goes by the form of the text alone, not by the
/// format: so nothing that large has to be held to be refused. Whatever reads the body after it
/// needs memory and time by these limits and not by what was sent.
struct PieceGate {
  private enum Form {
    /// Nothing but blanks and a byte order mark has come.
    case unknown
    case json(JSONGate)
    case markup(MarkupGate)
    case lines(LineGate)
  }

  private let limits: PieceLimits
  private let isHTML: Bool
  private var form = Form.unknown
  private var blanks = 0

  /// A gate for the body of a page.
  ///
  /// - Parameters:
  ///   - url: The page's, fit for messages.
  ///   - mediaType: `Content-Type` without parameters, in lower case.
  init(_ limits: CatalogLimits, of url: String = "", mediaType: String? = nil) {
    self.limits = PieceLimits(all: limits, url: url)
    isHTML = mediaType == "text/html"
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    var bytes = bytes[...]
    if case .unknown = form {
      guard let first = bytes.firstIndex(where: { !Self.isBeforeText($0) }) else {
        blanks += bytes.count
        return try limits.check(blanks)
      }
      bytes = bytes[first...]
      form = form(beginningWith: bytes[first])
    }
    let rest = UnsafeRawBufferPointer(rebasing: bytes)
    // Each form is taken out and put back, so that nothing of it is copied.
    switch form {
    case .unknown: break
    case .json(var gate):
      defer { form = .json(gate) }
      try gate.take(rest)
    case .markup(var gate):
      defer { form = .markup(gate) }
      try gate.take(rest)
    case .lines(var gate):
      defer { form = .lines(gate) }
      try gate.take(rest)
    }
  }

  /// Looks at the length of a line that is read by itself.
  func check(line length: Int) throws(CatalogError) { try limits.check(length) }

  private func form(beginningWith byte: UInt8) -> Form {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): .json(JSONGate(limits))
    case _ where isHTML: .markup(MarkupGate(limits, .html))
    case UInt8(ascii: "<"): .markup(MarkupGate(limits, .unknown))
    default: .lines(LineGate(limits))
    }
  }

  /// Whether a byte is a blank, or one of the byte order mark of UTF-8.
  private static func isBeforeText(_ byte: UInt8) -> Bool {
    JSONValue.isBlank(byte) || byte == 0xEF || byte == 0xBB || byte == 0xBF
  }
}

/// How large one thing may be in the body of a page.
struct PieceLimits {
  var all = CatalogLimits()
  /// The page's, fit for messages.
  var url = ""

  func check(_ length: Int) throws(CatalogError) {
    guard length <= all.pieceBytes else { throw excess(.pieceBytes) }
  }

  func excess(_ measure: CatalogError.Measure) -> CatalogError {
    let most =
      switch measure {
      case .attributes: all.attributes
      case .tagBytes: all.tagBytes
      default: all.pieceBytes
      }
    return .limit(url: url, measure, most: most)
  }
}

struct LineGate {
  private let limits: PieceLimits
  private var length = 0

  init(_ limits: PieceLimits) {
    self.limits = limits
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    var start = 0
    while let end = bytes.place(of: UInt8(ascii: "\n"), from: start) {
      try limits.check(length + end - start)
      length = 0
      start = end + 1
    }
    length += bytes.count - start
    try limits.check(length)
  }
}

extension CatalogBody {
  /// Makes sure that nothing in the body is larger than may be, unless that was seen as it came.
  func checkPieces(_ limits: CatalogLimits) throws(CatalogError) {
    guard !isMeasured else { return }
    var gate = PieceGate(limits, of: url.redacted, mediaType: mediaType)
    try bytes.withUnsafeBufferPointer { text throws(CatalogError) in
      try gate.take(UnsafeRawBufferPointer(text))
    }
  }
}

/// Looks at JSON: one value, or one in each line.
struct JSONGate {
  private let limits: PieceLimits
  /// Bytes since the last sign that isn't part of a value: of a string, a number or blanks.
  private var length = 0
  private var isInString = false
  private var isEscaped = false
  private var depth = 0
  /// Bytes of the line that is under way, once a line has ended between two values: from there on
  /// each value stands in a line of its own.
  private var line: Int?

  init(_ limits: PieceLimits) {
    self.limits = limits
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(CatalogError) {
    var place = 0
    var lineStart = 0
    while place < bytes.count {
      if isInString {
        try takeString(bytes, &place)
        continue
      }
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): (isInString, length) = (true, 0)
      case UInt8(ascii: ","), UInt8(ascii: ":"): length = 0
      case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, length) = (depth + 1, 0)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): (depth, length) = (max(0, depth - 1), 0)
      case UInt8(ascii: "\n") where depth == 0:
        try checkLine(adding: place - 1 - lineStart)
        (line, lineStart, length) = (0, place, 0)
      default:
        length += 1
        try limits.check(length)
      }
    }
    try checkLine(adding: place - lineStart)
    line = line.map { $0 + place - lineStart }
  }

  /// Takes a string up to its end, or to that of the bytes.
  private mutating func takeString(
    _ bytes: UnsafeRawBufferPointer, _ place: inout Int
  ) throws(CatalogError) {
    let start = place
    let end = min(bytes.count, place + limits.all.pieceBytes + 1 - length)
    while place < end {
      let byte = bytes[place]
      place += 1
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        (isInString, length) = (false, 0)
        return
      }
    }
    length += place - start
    try limits.check(length)
  }

  private func checkLine(adding count: Int) throws(CatalogError) {
    if let line { try limits.check(line + count) }
  }
}
