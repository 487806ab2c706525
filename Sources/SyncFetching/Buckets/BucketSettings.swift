import SyncEssentials
import SyncText
import SyncTransport

/// Where buckets are and with whose key they are asked, once the variables and files were looked
/// through.
struct BucketSettings: Equatable {
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

/// Where a bucket is that is named by `s3://bucket/prefix`.
enum BucketAddress {
  /// The web address: the bucket's name is the first part of the path, as every server of the kind
  /// has it, and the certificate of none is at a loss for names with dots.
  ///
  /// - Returns: `nil` for a text that names no bucket, or an endpoint that is none.
  static func address(of named: URLReference, endpoint: String?, region: String) -> String? {
    guard named.scheme == "s3", let bucket = named.authority, isName(bucket), named.query == nil,
      let server = endpoint.map({ origin(of: $0) }) ?? amazon(region)
    else { return nil }
    return server + "/" + bucket + (named.path.isEmpty ? "/" : named.path)
  }

  private static func amazon(_ region: String) -> String? {
    guard isName(region) else { return nil }
    return "https://s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
  }

  private static func origin(of endpoint: String) -> String? {
    guard let address = try? WebAddress(endpoint), address.path == "/", address.query == nil else {
      return nil
    }
    return "\(address.origin)"
  }

  /// Names of buckets, old ones too ("Bucket naming rules").
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 && text.first != "."
      && text.utf8.allSatisfy { byte in
        byte.asSmall.isSmall || byte.isDigit || "-._".utf8.contains(byte)
      }
  }
}

/// What a file of Amazon's tools says of each profile, as far as it is of use here: lines
/// `name = value` under a line `[profile]`.
struct ProfileFile: Equatable {
  private(set) var profiles: [String: [String: String]] = [:]

  /// Reads a file; what can't be read in it is passed over, as those tools do.
  init(_ text: String) {
    var profile: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let bare = String(line).withoutOuterWhitespace
      if bare.isEmpty || bare.hasPrefix("#") || bare.hasPrefix(";") { continue }
      if bare.hasPrefix("[") {
        profile = Self.name(of: bare)
        if let profile { profiles[profile, default: [:]] = profiles[profile] ?? [:] }
        continue
      }
      // What is indented belongs to the line above it, and is none of ours.
      let isNested = line.first == " " || line.first == "\t"
      guard !isNested, let profile, let equals = bare.firstIndex(of: "=") else { continue }
      let name = String(bare[..<equals]).withoutOuterWhitespace
      let value = String(bare[bare.index(after: equals)...]).withoutOuterWhitespace
      profiles[profile]?[name] = value
    }
  }

  /// `[name]`, or `[profile name]` as the file of settings writes it; other sections are none.
  private static func name(of line: String) -> String? {
    guard let end = line.firstIndex(of: "]") else { return nil }
    let words = line[line.index(after: line.startIndex)..<end].split(separator: " ")
    switch words.count {
    case 1: return String(words[0])
    case 2 where words[0] == "profile": return String(words[1])
    default: return nil
    }
  }
}
