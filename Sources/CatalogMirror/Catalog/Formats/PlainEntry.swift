import SyncText

/// The members of an entry that stands in its line as nearly all do: a flat JSON object of members
/// that are known, in which nothing is escaped, nothing comes twice and nothing is wrong. Found in
/// one walk over the bytes, without an allocation.
///
/// Of any other line nothing is told: ``EntryReader/read(_:position:)`` says what it is.
struct PlainEntry {
  private(set) var key = 0..<0
  private(set) var url: Range<Int>?
  private(set) var title: Range<Int>?
  private(set) var version: Range<Int>?
  private(set) var date: Range<Int>?
  /// The date, in seconds since 1970.
  private(set) var modified: Double?
  private(set) var size: Int64?
  private(set) var order: Int64?
  private(set) var sha256: SHA256Digest?
  private(set) var pack: PackPlace?
  private var found: Marks = []

  /// Reads a line that is valid UTF-8; `nil` for anything out of the common.
  init?(_ line: UnsafeRawBufferPointer) {
    var scanner = PlainScanner(line)
    guard scanner.take(UInt8(ascii: "{")) else { return nil }
    repeat {
      guard let name = scanner.string(), let member = Member(line, name),
        found.insert(member.mark).inserted, scanner.take(UInt8(ascii: ":")),
        take(member, &scanner, line)
      else { return nil }
    } while scanner.take(UInt8(ascii: ","))
    guard scanner.take(UInt8(ascii: "}")), scanner.isAtEnd, !key.isEmpty else { return nil }
  }

  private mutating func take(
    _ member: Member, _ scanner: inout PlainScanner, _ line: UnsafeRawBufferPointer
  ) -> Bool {
    switch member {
    case .size:
      size = scanner.wholeNumber()
      return size != nil
    case .order:
      order = scanner.wholeNumber()
      return order != nil
    case .pack:
      pack = PackPlace(&scanner)
      return pack != nil
    case .key, .url, .sha256, .version, .modified, .title:
      return scanner.string().map { take(member, $0, line) } ?? false
    }
  }

  private mutating func take(
    _ member: Member, _ text: Range<Int>, _ line: UnsafeRawBufferPointer
  ) -> Bool {
    switch member {
    case .key: key = text
    case .url: url = text
    case .title: title = text
    case .version: version = text
    case .sha256:
      sha256 = SHA256Digest(hexadecimal: UnsafeRawBufferPointer(rebasing: line[text]))
      return sha256 != nil
    case .modified:
      date = text
      modified = CivilTime.rfc3339(UnsafeRawBufferPointer(rebasing: line[text]))
      return modified != nil
    case .size, .order, .pack: return false
    }
    return true
  }
}

private enum Member {
  case key, url, size, sha256, version, modified, title, order, pack

  init?(_ line: UnsafeRawBufferPointer, _ name: Range<Int>) {
    let candidate: (Member, StaticString)? =
      switch (name.count, line[name.lowerBound]) {
      case (3, UInt8(ascii: "k")): (.key, "key")
      case (3, UInt8(ascii: "u")): (.url, "url")
      case (4, UInt8(ascii: "s")): (.size, "size")
      case (4, UInt8(ascii: "p")): (.pack, "pack")
      case (5, UInt8(ascii: "t")): (.title, "title")
      case (5, UInt8(ascii: "o")): (.order, "order")
      case (6, UInt8(ascii: "s")): (.sha256, "sha256")
      case (7, UInt8(ascii: "v")): (.version, "version")
      case (8, UInt8(ascii: "m")): (.modified, "modified")
      default: nil
      }
    guard let (member, text) = candidate else { return nil }
    for place in 0..<name.count where line[name.lowerBound + place] != text.utf8Start[place] {
      return nil
    }
    self = member
  }

  var mark: PlainEntry.Marks {
    switch self {
    case .key: .init(rawValue: 1)
    case .url: .init(rawValue: 2)
    case .size: .init(rawValue: 4)
    case .sha256: .init(rawValue: 8)
    case .version: .init(rawValue: 16)
    case .modified: .init(rawValue: 32)
    case .title: .init(rawValue: 64)
    case .order: .init(rawValue: 128)
    case .pack: .init(rawValue: 256)
    }
  }
}

extension PlainEntry {
  fileprivate struct Marks: OptionSet {
    let rawValue: UInt16
  }
}
