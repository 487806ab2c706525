import DocumentSync

/// How credentials are written where they are kept: as an object of JSON.
enum CredentialForm {
  static func bytes(of credentials: AccountCredentials) -> [UInt8] {
    let value: DocumentValue =
      switch credentials {
      case .password(let name, let password):
        ["name": DocumentValue(name), "password": DocumentValue(password)]
      case .token(let name, let token, let refresh?):
        [
          "name": DocumentValue(name), "token": DocumentValue(token),
          "refresh": DocumentValue(refresh),
        ]
      case .token(let name, let token, nil):
        ["name": DocumentValue(name), "token": DocumentValue(token)]
      }
    return Array((value.text + "\n").utf8)
  }

  /// The credentials that bytes are of; `nil` if they are of none.
  static func credentials(_ bytes: [UInt8]) -> AccountCredentials? {
    guard let value = try? DocumentValue(bytes: bytes), let name = value["name"]?.string else {
      return nil
    }
    if let token = value["token"]?.string {
      return .token(name: name, token: token, refresh: value["refresh"]?.string)
    }
    return value["password"]?.string.map { .password(name: name, password: $0) }
  }
}
