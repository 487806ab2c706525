extension ListingServer {
  /// The passwords that a server wants a proof of, for one realm.
  package struct Passwords {
    static let file = "passwords"
    let realm: String
    /// As htdigest(1) writes them down: `name:realm:digest`.
    let lines: String

    package init(realm: String, lines: String) {
      (self.realm, self.lines) = (realm, lines)
    }
  }
}
