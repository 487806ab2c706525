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
