import SyncEssentials
import SyncText
import SyncTransport

/// Where buckets are and with whose key they are asked, once the variables and files were looked
/// through.
struct BucketSettings: Equatable {
  /// The region that signatures name.
  var region: String
  /// `nil` for nobody's.
  var key: AccessKey?

  /// Looks through the variables and then the files.
  ///
  /// - Parameter read: The text of a file; `nil` when there is none.
  /// - Throws: ``SourceProblem/profile(_:_:)`` for a profile that was named and isn't there, or has
  ///   no key.
  init(
    _ access: BucketAccess, variables: [String: String], reading read: (String) -> String?
  ) throws(SourceProblem) {
    let files = Files(variables, reading: read)
    func variable(_ name: String) -> String? {
      variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let named = access.profile ?? variable("AWS_PROFILE")
    let profile = files.profile(named ?? "default")
    region =
      access.region ?? variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
      ?? profile?["region"] ?? Self.usualRegion
    if access.isAnonymous { return }
    if access.profile == nil, let id = variable("AWS_ACCESS_KEY_ID"),
      let secret = variable("AWS_SECRET_ACCESS_KEY")
    {
      key = AccessKey(id: id, secret: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
      return
    }
    key = profile.flatMap { AccessKey($0) }
    guard let named, key == nil else { return }
    throw .profile(ByteString.escape(named), profile == nil ? .missing : .withoutKey)
  }

  /// As Amazon's tools have it where nobody says another.
  static let usualRegion = "us-east-1"

  static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: path).flatMap { String(data: $0, encoding: .utf8) }
  }

  /// The two files, together.
  private struct Files {
    private let credentials: ProfileFile
    private let settings: ProfileFile

    init(_ variables: [String: String], reading read: (String) -> String?) {
      func file(_ variable: String, _ name: String) -> ProfileFile {
        let path = variables[variable] ?? variables["HOME"].map { $0 + "/.aws/" + name }
        return ProfileFile(path.flatMap(read) ?? "")
      }
      credentials = file("AWS_SHARED_CREDENTIALS_FILE", "credentials")
      settings = file("AWS_CONFIG_FILE", "config")
    }

    /// What both say of a profile; of what stands in both, the file of credentials.
    func profile(_ name: String) -> [String: String]? {
      let (first, second) = (credentials.profiles[name], settings.profiles[name])
      guard first != nil || second != nil else { return nil }
      return (first ?? [:]).merging(second ?? [:]) { first, _ in first }
    }
  }
}

extension AccessKey {
  fileprivate init?(_ profile: [String: String]) {
    guard let id = profile["aws_access_key_id"], let secret = profile["aws_secret_access_key"],
      !id.isEmpty, !secret.isEmpty
    else { return nil }
    self.init(id: id, secret: secret, sessionToken: profile["aws_session_token"])
  }
}
