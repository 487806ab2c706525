private import SyncEssentials

/// A user's name and password. Never printed.
package struct Credentials: Hashable, Sendable {
  package let user: String
  /// The password; may be empty.
  package let password: String

  /// Credentials that the Basic scheme can carry; `nil` when the name holds a colon, or either
  /// part a control character (RFC 7617, section 2).
  package init?(user: String, password: String) {
    let isControl = { (byte: UInt8) in byte < 0x20 || byte == 0x7F }
    guard !user.utf8.contains(UInt8(ascii: ":")), !user.utf8.contains(where: isControl),
      !password.utf8.contains(where: isControl)
    else { return nil }
    self.user = user
    self.password = password
  }

  /// The value of an `Authorization` header in the Basic scheme, in UTF-8 (RFC 7617).
  package var basic: String {
    "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
  /// Says that there is something, not what.
  package var description: String { "(credentials)" }
  /// Empty, so that no dump shows the password.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
