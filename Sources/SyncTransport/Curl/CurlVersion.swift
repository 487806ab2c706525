internal import CSyncCurl

/// A version of libcurl: what is used decides at run time, not what was built with.
package struct CurlVersion: Hashable, Comparable, Sendable {
  package let major: Int
  package let minor: Int
  package let patch: Int
  /// Whether it was built with HTTP/2.
  package let hasHTTP2: Bool

  /// A version by its numbers.
  package init(_ major: Int, _ minor: Int, _ patch: Int, hasHTTP2: Bool = true) {
    (self.major, self.minor, self.patch, self.hasHTTP2) = (major, minor, patch, hasHTTP2)
  }

  /// The one that this program runs with.
  package static let current: CurlVersion = {
    var features: CInt = 0
    let number = Int(csync_version(&features))
    return CurlVersion(
      number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF,
      hasHTTP2: features & CURL_VERSION_HTTP2 != 0)
  }()

  package static func < (one: CurlVersion, other: CurlVersion) -> Bool {
    (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
  }

  /// Whether a stream of HTTP/2 can be paused without harm to it or others, as a limited rate and a
  /// slow disk ask for.
  ///
  /// From libcurl's issues: unpausing was broken in 7.84 (9180); a paused stream that was cancelled
  /// kept others from going on before 8.1 (10988); a stream that was paused could lose its window
  /// for good up to 8.13 (16955, mended by 16960); from 8.16 on a pause could end a transfer with
  /// an error (19334, mended by 19338 in November 2025, with 8.18 at the latest). Debian 12 has
  /// 7.88.1, Debian 13 has 8.14.1.
  package var pausesStreams: Bool {
    guard hasHTTP2 else { return false }
    let isBetween = self >= CurlVersion(8, 14, 0) && self < CurlVersion(8, 16, 0)
    return isBetween || self >= CurlVersion(8, 18, 0)
  }
}

extension CurlVersion: CustomStringConvertible {
  /// As libcurl writes it: `8.14.1`.
  package var description: String { "\(major).\(minor).\(patch)" }
}
