internal import CSyncCurl

/// The libcurl that the program runs with.
package enum CurlLibrary {
  /// It and what it stands on, each with its version: `libcurl 8.14.1 (HTTP/2)`, `OpenSSL 3.0.19`.
  /// The number in brackets is that of HTTP at most.
  package static let parts: [String] = {
    let most = CurlVersion.current.pausesStreams ? "2" : "1.1"
    return names(in: String(cString: curl_version())).map {
      $0.hasPrefix("libcurl ") ? "\($0) (HTTP/\(most))" : $0
    }
  }()

  /// What libcurl's own line names: `libcurl/8.14.1 OpenSSL/3.0.19`. What stands in brackets there
  /// is a part of another part.
  static func names(in line: String) -> [String] {
    line.split(separator: " ").filter { !$0.hasPrefix("(") }
      .map { String($0.replacing("/", with: " ", maxReplacements: 1)) }
  }

  /// The file of certificates that is trusted where nobody names one: `nil` where libcurl knows of
  /// some itself, or where there is none.
  static let certificateFile: String? =
    csync_has_certificates() ? nil : SystemCertificates.file { access($0, R_OK) == 0 }

  /// Whether no certificate is trusted where nobody names a file of them.
  static let trustsNothing = certificateFile == nil && !csync_has_certificates()
}

/// Where systems keep the certificates that they trust. A libcurl that was built for one of them
/// knows; one that is linked into a program is to run on each.
enum SystemCertificates {
  static let places = [
    // Debian, Alpine, Arch.
    "/etc/ssl/certs/ca-certificates.crt",
    // Fedora and what comes of it; from its release 43 on, the second alone.
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    // SUSE; the second is what the first leads to.
    "/etc/ssl/ca-bundle.pem",
    "/var/lib/ca-certificates/ca-bundle.pem",
    // Alpine without the package of all certificates.
    "/etc/ssl/cert.pem",
  ]

  /// The first that can be read.
  static func file(where canBeRead: (String) -> Bool) -> String? { places.first(where: canBeRead) }
}
