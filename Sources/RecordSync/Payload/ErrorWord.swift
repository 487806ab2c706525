import SyncText

/// A member's name by which services tell of an error: `error_code`, `errorCode`.
struct ErrorWord {
  enum Meaning {
    /// The error itself; something of it; that something went well, or didn't.
    case error, fault, verdict
    /// How it ended, in words; the same, or a status of HTTP; a code, which may be such a status.
    case outcome, status, code
    /// What happened, in a sentence; what may name an error as well as anything else.
    case message, label
  }

  private static let words = MemberWords<Meaning>([
    (.error, "error errors"),
    (
      .fault,
      """
      err errormessage errormessages errormsg errmsg errorcode errorcodes errcode errortype \
      errordescription errordetail errordetails errorsummary errorinfo errorlist errorname \
      errorresponse apierror odataerror haserror haserrors iserror exception exceptionmessage \
      exceptiontype stacktrace fault faults faultcode faultstring soapfault
      """
    ),
    (.verdict, "success succeeded successful issuccess issuccessful ok"),
    (.outcome, "result outcome stat"),
    (.status, "status statuscode httpstatus httpstatuscode httpcode responsestatus"),
    (.code, "code responsecode resultcode retcode returncode"),
    (.message, "message messages msg detail"),
    (.label, "name class classname kind object category type title reason description"),
  ])

  let meaning: Meaning

  /// `nil` for any other name.
  init?(_ name: [UInt8]) {
    guard name.count < 40, let meaning = Self.words[name.asWord] else { return nil }
    self.meaning = meaning
  }

  /// What such a member tells of an error, as far as its value can tell that; `nil` for nothing. A
  /// value that may be something else counts as a code: beside a sentence, it is an error's.
  func told(by value: JSONTape.Node, in tape: borrowing JSONTape) -> Meaning? {
    let text = ErrorText(tape.smallText(value))
    switch meaning {
    case .error, .fault: return tape.isAnything(value) && !text.isOfSuccess ? meaning : nil
    case .message: return tape.isAnything(value) && !text.tellsOfSuccess ? .message : nil
    case .verdict: return tape.flag(value) == false || tape.integer(value) == 0 ? .verdict : nil
    case .outcome: return text.isOfFailure ? .outcome : nil
    case .status:
      if text.isOfFailure || isFailure(tape.count(value)) { return .status }
      return text.namesError ? .code : tape.flag(value) == false ? .label : nil
    case .code: return text.namesError || isFailure(tape.count(value)) ? .code : nil
    case .label: return text.namesError ? .label : nil
    }
  }

  /// Whether such a member may be the code of an error, since it is none that tells of success.
  func isOddCode(_ value: JSONTape.Node, in tape: borrowing JSONTape) -> Bool {
    guard meaning == .code || meaning == .status else { return false }
    if let code = tape.count(value) {
      return code != 0 && !(200...299).contains(code) && !(meaning == .status && code == 1)
    }
    let text = ErrorText(tape.smallText(value))
    return meaning == .code && tape.isAnything(value) && tape.kind(of: value) == .string
      && !text.isOfSuccess
  }

  /// The statuses of HTTP that tell of an error (RFC 9110, sections 15.5 and 15.6).
  private func isFailure(_ status: Int64?) -> Bool {
    status.map { (400...599).contains($0) } ?? false
  }
}

/// What a text tells of an error, in small letters.
struct ErrorText {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Whether it is what some services write where there is no error.
  var isOfSuccess: Bool {
    ["ok", "success", "successful", "succeeded", "no error"].contains(text)
  }

  var tellsOfSuccess: Bool {
    isOfSuccess
      || text.contains("success")
        && !["unsuccess", "not success", "no success"].contains(where: text.contains)
  }

  /// Whether it is what services write where there is one.
  var isOfFailure: Bool { ["error", "fail", "failed", "failure", "ko", "nok"].contains(text) }

  /// Whether it is how an error is called: `NotFound`, `invalid_token`, `ValidationError`; or the
  /// type of a problem (RFC 9457, section 3.1.1), which is an address.
  var namesError: Bool {
    if text == "about:blank" || text.hasPrefix("http") && text.contains("/prob") { return true }
    guard text.utf8.count < 60, !text.contains("/") else { return false }
    let word = text.utf8.asWord
    return Self.names.contains(word) || word.hasPrefix("invalid") && word != "invalid"
      || Self.ends.contains { word.hasSuffix($0) && word != $0 }
  }

  private static let ends = [
    "error", "errors", "exception", "notfound", "denied", "exceeded", "expired", "unauthorized",
  ]
  /// `expired` alone is a state like others.
  private static let names: Set<String> = [
    "error", "errors", "exception", "notfound", "unauthorized",
    "badgateway", "badrequest", "fault", "forbidden", "gatewaytimeout", "loginrequired",
    "methodnotallowed", "notallowed", "notauthed", "notauthorized", "notimplemented",
    "overquerylimit", "ratelimit", "ratelimited", "serviceunavailable", "toomanyrequests",
    "unauthenticated", "unauthorised", "unprocessableentity",
  ]
}
