/// A size as a server lists it.
enum ListedSize {
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
