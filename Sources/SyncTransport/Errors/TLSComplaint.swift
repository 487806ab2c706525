/// What is said when one side speaks TLS and the other doesn't. It goes on being so, and is the
/// address's mistake; but neither libcurl nor HTTP has a number for it, only words.
enum TLSComplaint {
  /// Whether the TLS library has met with something other than TLS: OpenSSL by its versions,
  /// GnuTLS.
  static func isOfNoTLS(_ said: String) -> Bool {
    [
      "wrong version number", "packet length too long", "unknown protocol", "http request",
      "unexpected TLS packet",
    ].contains { said.contains($0) }
  }

  /// Whether a server complains, with status 400, that it was spoken to without TLS: the start of
  /// the answer's body, as nginx, Apache, Go and others write it.
  static func isOfPlainText(_ body: some Sequence<UInt8>) -> Bool {
    let text = String(decoding: Array(body), as: UTF8.self)
    return text.contains("HTTPS port") || text.contains("HTTPS server")
      || text.contains("SSL-enabled server port")
  }
}
