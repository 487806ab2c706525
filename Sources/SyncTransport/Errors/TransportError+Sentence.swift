private import SyncText

extension TransportError: CustomStringConvertible {
  package var description: String {
    "\(address): \(event). \(advice)"
  }

  /// What happened and what to do, for the end of a sentence that said where.
  package var reason: String {
    "\(event); \(advice.prefix(1).lowercased())\(advice.dropFirst().dropLast())"
  }

  /// What happened alone, for the middle of a sentence.
  package var event: String { happening + (detail.map { " (\($0))" } ?? "") }

  private var happening: String {
    switch code {
    case .invalidAddress: "this isn't a usable URL"
    case .schemeRefused: "only http and https are fetched"
    case .invalidHeader: "a header can't be sent as it is"
    case .unreadableBody: "the body to be sent can't be read"
    case .couldNotResolve: "the host's name could not be resolved"
    case .badProxy: "the address of the proxy can't be used"
    case .couldNotConnect: "no connection could be made"
    case .addressRefused: "the host leads to a network address that isn't allowed"
    case .timedOut: "no connection came about in time"
    case .stalled: "the transfer stalled"
    case .tooSlow: "the transfer was too slow on the whole"
    case .interrupted: "the connection broke"
    case .shortBody: "the body ended too early"
    case .bodyTooLarge(let limit):
      "the body is larger than the limit of \(ByteAmount.text(limit))"
    case .headersTooLarge: "the headers are too large"
    case .malformedAnswer: "the answer isn't valid HTTP"
    case .unaskedCoding: "the answer came in a content coding that nobody asked for"
    case .tls: "the TLS handshake failed"
    case .withoutTLS: "this port doesn't speak TLS"
    case .onlyTLS: "this port speaks only TLS"
    case .certificate: "a certificate was not accepted"
    case .noCertificates: "this system has no certificates to know a server by"
    case .badRedirect: "the redirect can't be followed"
    case .tooManyRedirects: "there were too many redirects"
    case .otherRegion(let region): "the bucket is in the region \(Self.printable(region))"
    case .clockDiffers: "the server refuses the signature, as its clock differs from this machine's"
    case .keyRefused: "the server refuses the access key, or the signature that was made with it"
    case .status(let status): "the server answered with status \(status)"
    case .originGivenUp: "this server kept failing and is left alone for the rest of this run"
    case .directoryGivenUp:
      "this directory kept failing and is left alone for the rest of this run"
    case .closed: "the transport has been closed"
    case .library(let number): "libcurl failed with code \(number)"
    }
  }

  private var advice: String {
    switch code {
    case .invalidAddress, .schemeRefused: "Correct the URL."
    case .invalidHeader: "Leave it out, or take line breaks and control characters out of it."
    case .unreadableBody: "Check the file, then send it again."
    case .couldNotResolve: "Check the name, the network and the proxy settings."
    case .badProxy:
      "Correct it, in http_proxy or https_proxy where it wasn't given otherwise."
    case .couldNotConnect, .timedOut: "Check that the server is up, or try again later."
    case .addressRefused: "Allow this host if you trust where it leads."
    case .tooSlow: "Try again later, or allow a slower one."
    // Some ports that speak TLS hang up on who doesn't.
    case .interrupted where isPlain && detail?.hasPrefix("Empty reply") ?? false:
      "Check that the port is one for http, or try again later."
    case .stalled, .interrupted, .shortBody: "Try again later."
    case .tls: "Check that the port is one for https, or try again later."
    case .withoutTLS: "Use http://, or the server's port for https."
    case .onlyTLS: "Use https://, or the server's port for http."
    case .bodyTooLarge: "Raise the limit if you trust the server."
    case .malformedAnswer where isPlain:
      """
      Check the port: one that speaks TLS wants https://. If it is right, tell the server's \
      operator.
      """
    case .unaskedCoding: "Have the server send it as it is, or as gzip."
    case .headersTooLarge, .malformedAnswer: "Tell the server's operator."
    case .certificate:
      "Check the CA file (or SSL_CERT_FILE), the client certificate and the machine's clock."
    case .noCertificates:
      "Install them (ca-certificates in most systems), or name a file of them in SSL_CERT_FILE."
    case .badRedirect, .tooManyRedirects: "Use the address that the resource has now."
    case .otherRegion: "Name that region, and the endpoint of it if you name one."
    case .clockDiffers: "Set this machine's clock."
    case .keyRefused: "Check the key's id and its secret."
    case .status(401): "Check the credentials."
    // Who isn't known is answered with 401: here, whoever it is may not.
    case .status(403) where address.prefix(while: { $0 != "?" }).hasSuffix("/"):
      """
      The server forbids it, often since there is no listing of a directory: check the address, \
      and the server's rules for this user.
      """
    case .status(403): "The server forbids it: check the server's rules for this user."
    case .status(407): "Check the credentials in the proxy's URL (http_proxy, https_proxy)."
    case .status(404): "Check the address."
    // An address that another answer gave may have expired.
    case .status(410): "It is gone: run it again, and check the address if that stays so."
    case .status: isTransient ? "Try again later." : "Check the request with the server's operator."
    case .originGivenUp: "Look at its first failures, then run again."
    case .directoryGivenUp: "Look at its first failures, then run again, or leave it out."
    case .closed: "Make a new one."
    case .library: "Try again; report it if it stays."
    }
  }

  private var isPlain: Bool { address.hasPrefix("http://") }
}
