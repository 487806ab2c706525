import SyncText

/// What a directory's page says of one thing in it: a link, and a date and a size where it has
/// them.
struct DirectoryRow {
  var href: String
  /// The date as written, and what it says.
  var date: (text: String, stamp: ListingDate)?
  var size: ListedSize?
  /// Whether what the row says is of a link and not of what it leads to, so that it proves nothing.
  var isLink = false
  /// Whether it is a directory, where the row says so beside its link.
  var isDirectory: Bool?

  /// The entry of a key at an address that was found on the page of a directory.
  func entry(
    _ key: CatalogKey, at url: String, in directory: EntryPlace.Directory, listedAt listed: Double?
  ) -> ListedEntry {
    // An address of its own would take 200 bytes more.
    let isPlain = URLReference.isPlainPath(key.bytes) && directory.isPlace(of: key, at: url)
    var entry =
      isPlain
      ? CatalogEntry(plainKey: key, in: directory, version: .unknown)
      : CatalogEntry(key: key, locators: [url])
    guard !isLink else { return .entry(entry, settled: false) }
    entry.size = size?.exact
    entry.estimatedSize = size?.estimate
    entry.modified = date?.stamp.modified
    if date != nil || entry.size != nil {
      entry.version = .dateAndSize(date: date?.text, size: entry.size)
    }
    let isSettled = date?.stamp.isSettled(listedAt: listed) ?? false
    return .entry(entry, settled: isSettled)
  }
}

extension EntryPlace.Directory {
  /// Whether an address is that of the directory, and then the key.
  fileprivate func isPlace(of key: CatalogKey, at url: String) -> Bool {
    let start = address.utf8
    return url.utf8.count == start.count + key.bytes.count && url.utf8.starts(with: start)
      && url.utf8.dropFirst(start.count).elementsEqual(key.bytes)
  }
}

enum ListedSize: Hashable {
  case exact(Int64)
  case rounded(Int64)

  /// Digits alone are exact. A number with a unit of 1,024 (`1.2K`, `4 MiB`), or of one (`12 B`),
  /// was rounded; which way differs from server to server.
  init?(_ text: some StringProtocol) {
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bytes = Int64(text) {
      self = .exact(bytes)
      return
    }
    let number = text.prefix { $0.isNumber || $0 == "." }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    guard let factor = Self.factor(of: String(unit)), let amount = Self.amount(String(number))
    else { return nil }
    let bytes = amount * factor
    guard bytes < Double(Int64.max) else { return nil }
    self = .rounded(Int64(bytes))
  }

  var exact: Int64? { if case .exact(let bytes) = self { bytes } else { nil } }

  /// About how many bytes, where that is all that is known.
  var estimate: Int64? { if case .rounded(let bytes) = self { bytes } else { nil } }

  /// The same, where a server rounds without saying so.
  var asRounded: ListedSize {
    switch self {
    case .exact(let bytes), .rounded(let bytes): .rounded(bytes)
    }
  }

  private static func factor(of unit: String) -> Double? {
    let letter = unit.hasSuffix("iB") ? String(unit.dropLast(2)) : unit
    switch letter {
    case "B": return 1
    case "K": return 0x1p10
    case "M": return 0x1p20
    case "G": return 0x1p30
    case "T": return 0x1p40
    case "P": return 0x1p50
    case "E": return 0x1p60
    default: return nil
    }
  }

  /// `Double` alone would take "nan" and "1e9" as well.
  private static func amount(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else {
      return nil
    }
    return Double(text)
  }
}
