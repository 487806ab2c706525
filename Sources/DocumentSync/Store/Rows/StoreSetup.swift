import SyncDatabase

/// What a program keeps of how a store is to be used: which server, whose account, which types.
public struct StoreSetup: Sendable, Hashable {
  /// What the server is, in the program's own words.
  public var service: String
  /// The server's address.
  public var server: String
  /// The part of it that is meant; empty where it has none.
  public var bucket: String
  /// Whose documents they are; empty for nobody's.
  public var account: String
  /// Where the account's password is.
  public var passwordFile: String?
  /// How it speaks of its documents, as an object of JSON, if that differs.
  public var dialect: String?
  /// The types, in the order in which they were declared.
  public var kinds: [DocumentTypes.Kind] = []
  /// Whether documents are kept in the store, or something is known of what the server has: all of
  /// that goes by what the store was told.
  public internal(set) var isUsed = false

  /// What a store goes with; no types yet.
  public init(service: String, server: String, bucket: String, account: String) {
    self.service = service
    self.server = server
    self.bucket = bucket
    self.account = account
  }

  /// Whether whoever goes by this can go on once the store is told `new`: that differs at most in
  /// further types, which come last, and in where the password is.
  public func goesOn(as new: StoreSetup) -> Bool {
    var same = new
    same.passwordFile = passwordFile
    same.kinds = Array(new.kinds.prefix(kinds.count))
    same.isUsed = isUsed
    return same == self
  }
}

extension StoreReader {
  private func isUsed() throws -> Bool {
    try session.connection.row(
      """
      SELECT EXISTS (SELECT 1 FROM documents) OR EXISTS (SELECT 1 FROM entries)
        OR EXISTS (SELECT 1 FROM lost) OR EXISTS (SELECT 1 FROM traces)
        OR EXISTS (SELECT 1 FROM failures) OR EXISTS (SELECT 1 FROM files)
        OR EXISTS (SELECT 1 FROM burials)
        OR EXISTS (SELECT 1 FROM scopes WHERE checkpoint IS NOT NULL) AS used
      """
    ) { try $0.flag("used") } ?? false
  }

  /// How the store is to be used; `nil` if no program was told.
  package func setup() throws -> StoreSetup? {
    guard var setup = try told() else { return nil }
    setup.isUsed = try isUsed()
    return setup
  }

  /// Checks that what goes by `setup` may be written: that the store wasn't told another server,
  /// account or collection since, where that would be kept under the wrong one.
  ///
  /// - Throws: ``DocumentError/toldAnew``.
  func check(isToldStill setup: StoreSetup) throws {
    guard let now = try told(), !setup.goesOn(as: now) else { return }
    throw DocumentError.toldAnew
  }

  /// What the store was told, whatever is in it.
  func told() throws -> StoreSetup? {
    try session.connection.row(
      "SELECT service, server, bucket, account, password_file, dialect, kinds FROM setup"
    ) { row in
      var setup = StoreSetup(
        service: try row.text("service"), server: try row.text("server"),
        bucket: try row.text("bucket"), account: try row.text("account"))
      setup.passwordFile = try row.optionalText("password_file")
      setup.dialect = try row.optionalText("dialect")
      setup.kinds = try DocumentValue(row, "kinds").decode()
      return setup
    }
  }
}

extension StoreEditor {
  /// Keeps how the store is to be used, in place of what was kept before.
  ///
  /// - Throws: ``DocumentError/typeInUse(_:documents:)`` for a type that is to go, or to be kept
  ///   elsewhere, of which something is here.
  package func setUp(_ setup: StoreSetup) throws {
    try endTypes(missingIn: setup)
    try session.connection.run(
      """
      INSERT OR REPLACE INTO setup
        (one, service, server, bucket, account, password_file, dialect, kinds)
      VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """, setup.service, setup.server, setup.bucket, setup.account, setup.passwordFile,
      setup.dialect, try DocumentValue.encode(setup.kinds).text)
  }
}
