/// A key of an S3 account: its public name, and the secret that requests are signed with. Never
/// printed.
package struct AccessKey: Sendable, Equatable {
  /// The name, which goes along with each request.
  package let id: String
  /// The secret, which never does.
  package let secret: String
  /// What a key that holds for a while only is shown with.
  package let sessionToken: String?

  package init(id: String, secret: String, sessionToken: String? = nil) {
    self.id = id
    self.secret = secret
    self.sessionToken = sessionToken
  }
}

extension AccessKey: CustomStringConvertible, CustomReflectable {
  /// Says that there is something, not what.
  package var description: String { "(access key)" }
  /// Empty, so that no dump shows the secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
