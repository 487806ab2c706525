package import SyncFiles

/// What a server is told and shown.
public struct SourceAccess: Sendable {
  /// Headers of your own, for the source's origin and no other.
  public var headers: [Header] = []
  /// A file that holds a bearer token for the source's origin.
  public var tokenFile: String?
  /// Whether `~/.netrc` is consulted.
  public var usesNetrc = false
  /// A netrc file to consult in place of `~/.netrc`.
  public var netrcFile: String?
  /// A file of certificates to trust in place of the system's, or of those that the environment
  /// names in `SSL_CERT_FILE`.
  public var caFile: String?
  /// Whether a server has to prove with a certificate that it is who it says. Default `true`.
  /// Without, anybody on the way can read and change what comes, and read what is sent: passwords,
  /// too.
  public var verifiesServers = true
  /// Which proxy is used. Default: the one that the environment names.
  public var proxy = Proxy.environment
  /// A client certificate, and its key if that is in a file of its own.
  public var certificateFile: String?
  /// The key of the client certificate.
  public var keyFile: String?

  /// Where the buckets of S3 are, and with whose key they are asked.
  public var bucket = BucketAccess()

  /// Nothing but what the environment says.
  public init() {}

  /// Which proxy is used.
  public enum Proxy: Sendable, Equatable {
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, as for curl.
    case environment
    /// None, whatever the environment says.
    case none
    /// This one for every address, whatever the environment says: a URL, or a host and a port. Its
    /// user-info is never printed or stored.
    case url(String)
  }

  /// One header line.
  public struct Header: Sendable, Equatable {
    /// The field's name.
    public var name: String
    /// The field's value; never printed or stored.
    public var value: String

    /// A header line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The files that it may name.
  public enum File: Sendable, Hashable {
    /// ``caFile``
    case authorities
    /// ``certificateFile``
    case certificate
    /// ``keyFile``
    case key
    /// ``netrcFile``
    case netrc
    /// ``tokenFile``
    case token
  }
}

/// Where the buckets of `s3://bucket/prefix` are, and with whose key they are asked.
///
/// The key is looked for where Amazon's own tools look: in `AWS_ACCESS_KEY_ID`,
/// `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, and then in the files `~/.aws/credentials` and
/// `~/.aws/config` (`AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`), under the profile of
/// `AWS_PROFILE`, or `default`. Without any, requests aren't signed. It is never printed or stored.
public struct BucketAccess: Sendable, Equatable {
  /// The server, as an http or https URL without a path; `nil`, the default, is Amazon's server of
  /// the region.
  public var endpoint: String?
  /// The region; `nil`, the default, is that of `AWS_REGION` or `AWS_DEFAULT_REGION`, else of the
  /// profile, else `us-east-1`.
  public var region: String?
  /// The profile whose key is used, whatever the variables say; `nil`, the default, goes by them.
  public var profile: String?
  /// Whether requests aren't signed, whatever keys there are. Default `false`.
  public var isAnonymous = false

  /// What the variables and files say.
  public init() {}
}

package enum SourceProblem: Error, Hashable, Sendable {
  /// The address, shown without secrets, is no http, https or file URL.
  case badAddress(String)
  /// A file that the access names can't be read; its path, escaped.
  case unreadableFile(SourceAccess.File, path: String)
  /// A profile of Amazon's tools, escaped, that was named can't be used.
  case profile(String, ProfileProblem)
  /// The folder of a source that is a file can't be opened; its path, escaped.
  case folder(path: String, Errno)
}

/// Why a profile can't be used.
public enum ProfileProblem: Hashable, Sendable {
  /// Neither file has it.
  case missing
  /// It has no key of its own: it says where to get one.
  case withoutKey
}
