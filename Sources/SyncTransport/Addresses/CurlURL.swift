private import CSyncCurl

/// libcurl's own URL (`CURLU`): the parser whose word is also what gets connected to.
///
/// It resolves and removes dot segments as RFC 3986 says, and turns numeric hosts into what it
/// would dial (`127.1`, decimal, octal). What is percent-encoded already stays letter by letter,
/// since a server may have signed it.
struct CurlURL: ~Copyable {
  private let handle: OpaquePointer

  /// The URL that `text` is; `nil` when libcurl can't make one of it.
  init?(_ text: String) {
    guard let handle = curl_url() else { preconditionFailure("no memory is left for a URL") }
    guard Self.set(handle, CURLUPART_URL, text) else {
      curl_url_cleanup(handle)
      return nil
    }
    self.handle = handle
  }

  deinit { curl_url_cleanup(handle) }

  /// Replaces this URL by what `reference` means relative to it.
  mutating func resolve(_ reference: String) -> Bool {
    Self.set(handle, CURLUPART_URL, reference)
  }

  mutating func set(_ part: Part, to text: String?) -> Bool {
    guard let text else { return curl_url_set(handle, part.code, nil, 0) == CURLUE_OK }
    return Self.set(handle, part.code, text)
  }

  /// One part; `nil` when the URL has none, or one that can't be had in that form.
  func part(_ part: Part) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part.code, &text, part.flags) == CURLUE_OK, let text else {
      return nil
    }
    defer { curl_free(text) }
    return String(validatingCString: text)
  }

  /// Whether the URL has user-info, empty or not, readable or not.
  var hasUserInfo: Bool {
    var text: UnsafeMutablePointer<CChar>?
    let code = curl_url_get(handle, CURLUPART_USER, &text, 0)
    curl_free(text)
    return code != CURLUE_NO_USER
  }

  private static func set(_ handle: OpaquePointer, _ part: CURLUPart, _ text: String) -> Bool {
    // C ends a text at NUL: what comes after it must not vanish silently.
    guard !text.utf8.contains(0) else { return false }
    return curl_url_set(handle, part, encoded(text), 0) == CURLUE_OK
  }

  /// The text with every byte outside ASCII percent-encoded: what servers expect of such names.
  private static func encoded(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte in
      byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  enum Part {
    case whole, scheme, user, password, host, port, path, query, fragment

    fileprivate var code: CURLUPart {
      switch self {
      case .whole: CURLUPART_URL
      case .scheme: CURLUPART_SCHEME
      case .user: CURLUPART_USER
      case .password: CURLUPART_PASSWORD
      case .host: CURLUPART_HOST
      case .port: CURLUPART_PORT
      case .path: CURLUPART_PATH
      case .query: CURLUPART_QUERY
      case .fragment: CURLUPART_FRAGMENT
      }
    }

    fileprivate var flags: UInt32 {
      switch self {
      case .whole: UInt32(CURLU_NO_DEFAULT_PORT)
      case .user, .password: UInt32(CURLU_URLDECODE)
      case .port: UInt32(CURLU_DEFAULT_PORT)
      case .scheme, .host, .path, .query, .fragment: 0
      }
    }
  }
}
