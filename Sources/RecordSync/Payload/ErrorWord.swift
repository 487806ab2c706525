import SyncText

/// The name of a member by which services tell of an error, however they write it: `error_code`,
/// `errorCode`.
struct ErrorWord {
  /// What a member of such a name tells.
  enum Meaning {
    /// The error itself; that something went well, or didn't.
    case fault, verdict
    /// How it ended, in words; the same, or a status of HTTP; a code, which may be such a status.
    case outcome, status, code
    /// What happened, in a sentence; what else stands beside that.
    case message, other
  }

  private static let meanings: [String: Meaning] = {
    let words: [(Meaning, String)] = [
      (
        .fault,
        """
        error errors err errormessage errormessages errormsg errmsg errorcode errorcodes errcode \
        errortype errordescription errordetail errordetails errorsummary exception fault faults
        """
      ),
      (.verdict, "success succeeded successful issuccess issuccessful ok"),
      (.outcome, "result outcome stat"),
      (.status, "status statuscode httpstatus httpstatuscode httpcode responsestatus"),
      (.code, "code responsecode resultcode"),
      (.message, "message messages msg detail"),
      (
        .other,
        """
        title reason description details type instance documentationurl docurl moreinfo help \
        helpurl url uri href link links requestid traceid correlationid timestamp path
        """
      ),
    ]
    return words.reduce(into: [:]) { all, entry in
      for word in entry.1.split(separator: " ") { all[String(word)] = entry.0 }
    }
  }()

  /// What some services write where there is no error.
  private static let wentWell: Set<String> = [
    "ok", "success", "successful", "succeeded", "no error",
  ]
  private static let failed: Set<String> = ["error", "fail", "failed", "failure", "ko", "nok"]

  let meaning: Meaning

  /// `nil` for any other name.
  init?(_ name: [UInt8]) {
    guard name.count < 40 else { return nil }
    let letters = name.map { $0 | 0x20 }.filter { (0x61...0x7A).contains($0) }
    guard let meaning = Self.meanings[String(decoding: letters, as: UTF8.self)] else { return nil }
    self.meaning = meaning
  }

  /// Whether such a member speaks of an error, as far as its value can tell that.
  func speaks(_ value: JSONTape.Node, in tape: borrowing JSONTape) -> Bool {
    let text = tape.smallText(value)
    switch meaning {
    case .fault, .message: return tape.isAnything(value) && !Self.wentWell.contains(text)
    case .verdict: return tape.flag(value) == false || tape.integer(value) == 0
    case .outcome: return Self.failed.contains(text)
    case .status: return Self.failed.contains(text) || Self.isFailure(tape.count(value))
    case .code: return Self.isFailure(tape.count(value))
    case .other: return false
    }
  }

  /// The statuses of HTTP that tell of an error (RFC 9110, sections 15.5 and 15.6).
  private static func isFailure(_ status: Int64?) -> Bool {
    status.map { (400...599).contains($0) } ?? false
  }
}
