import SyncText

/// What `gpgv` says of signatures in the lines that it writes for programs (GnuPG's `doc/DETAILS`,
/// section "Format of the --status-fd output").
struct SignatureStatus {
  /// The words of each line: the first says what it is about.
  private let lines: [[String]]
  /// Whether there may be more that wasn't kept.
  private let isCut: Bool

  /// The most bytes of such lines that are looked at.
  static let longest = 1 << 16

  init(_ bytes: [UInt8]) {
    isCut = bytes.count >= Self.longest
    let mark = "[GNUPG:] "
    lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix(mark) }
      .map { $0.dropFirst(mark.count).split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  /// Whether a key of the keyring has signed the text. One good signature suffices, and one by a
  /// key that isn't known says nothing; but one that is bad, whose time is over or hasn't come, or
  /// whose key is revoked or expired, speaks against all.
  func verdict(at now: Double) -> Result<Bool, SignatureDoubt> {
    for line in lines {
      let key = line.count > 1 ? line[1] : ""
      switch line[0] {
      case "REVKEYSIG": return .failure(.revokedKey(key))
      case "EXPKEYSIG": return .failure(.expiredKey(key))
      case "EXPSIG": return .failure(.expired(key))
      case "VALIDSIG":
        // Its third and fourth words: the date as a day, and in seconds since 1970.
        guard line.count > 3, let date = Int64(line[3]) else { return .success(false) }
        if Double(date) > now + ListingVerdict.longestFuture {
          return .failure(.ofTheFuture(key, date: date, now: Int64(now)))
        }
      default: break
      }
    }
    let words = Set(lines.map { $0[0] })
    return .success(
      !isCut && words.isSuperset(of: ["GOODSIG", "VALIDSIG"]) && !words.contains("BADSIG"))
  }
}
