import SyncTransport

/// What carries the requests: libcurl, in the version that the program runs with.
public struct HTTPSupport: Sendable, Equatable {
  /// Its version, as `8.14.1`.
  public let libcurl: String
  /// The version of HTTP at most: `2` over TLS where the server has it, or `1.1` where libcurl's
  /// version can't pause one transfer of several on a connection without harm.
  public let version: String

  /// What this program runs with.
  public static let current = HTTPSupport(
    libcurl: "\(CurlVersion.current)", version: CurlVersion.current.pausesStreams ? "2" : "1.1")
}
