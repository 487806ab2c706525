import CatalogMirror
import SyncTransport
import SyncText

/// What servers write into header fields: the input is a value, for every field, and lines of a
/// head.
enum FieldsTarget {
  static func check(_ input: [UInt8]) throws {
    let text = input.text
    try checkContentRange(text)
    try checkRetryAfter(text)
    try checkEntityTag(text)
    try checkDate(text)
    try checkMediaType(text)
    try checkLinks(text)
    try checkLines(input)
    try FramingCheck.checkLength(text)
    try FramingCheck.checkChunks(input)
  }

  private static func checkContentRange(_ text: String) throws {
    switch ContentRange(text) {
    case nil: return
    case .bytes(let range, let whole):
      try require(range.lowerBound >= 0, "a part begins before the whole")
      if let whole { try require(range.upperBound < whole, "a part ends after the whole") }
      let printed = "bytes \(range.lowerBound)-\(range.upperBound)/\(whole.map(String.init) ?? "*")"
      try require(ContentRange(printed) == .bytes(range, of: whole), "a part reads as another")
    case .unsatisfied(let whole):
      try require(whole >= 0, "a whole is less than nothing")
      try require(
        ContentRange("bytes */\(whole)") == .unsatisfied(of: whole), "a whole reads as another")
    }
  }

  private static let moments = [Int64.min / 4, -1, 0, 1_795_000_000, 253_402_300_799]
    .map(HTTPDate.init(secondsSince1970:))

  private static func checkRetryAfter(_ text: String) throws {
    guard let retry = RetryAfter(text) else { return }
    for now in moments { try require(retry.wait(at: now) >= .zero, "a wait is negative") }
    if case .delay(let delay) = retry {
      try require(delay <= .seconds(Int32.max), "a delay overflows")
    }
  }

  private static func checkEntityTag(_ text: String) throws {
    guard let tag = EntityTag(text) else { return }
    try require(tag.text == text && EntityTag(tag.text) == tag, "an entity tag reads as another")
    try require(tag.isStronglyEqual(to: tag) != tag.isWeak, "a weak entity tag passes for strong")
    try require(
      HTTPHeaders.Field(name: "If-Range", value: tag.text).isSendable,
      "an entity tag can't be sent back")
  }

  private static func checkDate(_ text: String) throws {
    guard let date = HTTPDate(text) else { return }
    try require(
      (-62_167_219_200...253_402_300_800).contains(date.secondsSince1970),
      "a date outside of its four digits")
    if let other = ListingDate(nginxJSON: text), !text.contains(":60 ") {
      try require(other.seconds == Double(date.secondsSince1970), "two readers, two dates")
    }
  }

  private static func checkMediaType(_ text: String) throws {
    guard let type = MediaType(text) else { return }
    try require(!type.type.isEmpty && !type.subtype.isEmpty, "half a media type passes")
    try require(MediaType(type.essence)?.essence == type.essence, "a media type changes")
  }

  private static func checkLinks(_ text: String) throws {
    let links = LinkHeader([text])
    let printed = links.links.map { link in
      let relations = link.relations.joined(separator: " ").unicodeScalars
        .map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
      return "<\(link.target)>; rel=\"\(relations)\"" + (link.isAnchored ? "; anchor=\"#\"" : "")
    }
    let again = LinkHeader([printed.joined(separator: ", ")])
    try require(again.links == links.links && !again.isBroken, "links read as others")
    for link in links.links {
      // Byte by byte: characters join with what stands before them.
      let isThere = !Array(text.utf8).ranges(of: Array(link.target.utf8)).isEmpty
      try require(isThere || link.target.isEmpty, "a target was made up")
    }
    try require(
      !links.isBroken || LinkHeader(["<a>; rel=next", text]).isBroken, "a broken link is forgotten")
  }

  private static func checkLines(_ input: [UInt8]) throws {
    var block = HeaderBlock()
    var count = 0
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
      count += line.count + 1
      do {
        try (Array(line) + [0x0A]).withUnsafeBytes { try block.take($0) }
      } catch is FramingProblem { break }
    }
    try require(block.byteCount == count, "bytes of the head aren't counted")
    for field in block.fields.fields {
      try require(block.fields.all(field.name).contains(field.value), "a field can't be found")
      try require(!field.value.utf8.contains(0x0A), "a value holds a line break")
      try require(!field.value.utf8.elementsEqual(" ".utf8), "a value is blank")
    }
  }
}
