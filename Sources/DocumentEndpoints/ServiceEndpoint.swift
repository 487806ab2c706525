public import DocumentSync

/// Servers over HTTP, as endpoints that documents travel to.
public enum ServiceEndpoint {
  /// A bucket of a Kinto server, whose collections hold documents; nothing is sent yet.
  ///
  /// ```swift
  /// let endpoint = try ServiceEndpoint.kinto(server: "https://kinto.example.org", bucket: "notes")
  /// ```
  ///
  /// Where the bucket or a collection isn't there, it's made as soon as it is needed, if the
  /// account may.
  ///
  /// - Parameters:
  ///   - server: its address, with or without `/v1`.
  ///   - bucket: by default the one that each account has for itself.
  ///   - pageSize: how many documents of a list are asked for at once. By default as many as the
  ///     server gives: small pages cost it much.
  ///   - options: how the server is reached.
  ///   - authorization: gives the value of the field `Authorization`; `nil` for a server that
  ///     everybody may use.
  /// - Throws: ``ServiceError``.
  public static func kinto(
    server: String, bucket: String = "default", pageSize: Int? = nil,
    options: ServiceOptions = ServiceOptions(), authorization: AuthorizationSource? = nil
  ) throws -> any DocumentEndpoint {
    try KintoEndpoint(
      server: server, bucket: bucket, pageSize: pageSize, options: options,
      authorization: authorization)
  }

  /// Rows of a REST service as documents: a model is a collection, a row is a document. Nothing is
  /// sent yet.
  ///
  /// ```swift
  /// let endpoint = try ServiceEndpoint.rest(
  ///   server: "https://example.org/api/v1.0",
  ///   dialect: RestDialect(
  ///     rows: "results", modified: "modified_date", deleted: "is_deleted",
  ///     conflict: "is_conflict"))
  /// ```
  ///
  /// - Parameters:
  ///   - server: the address below which the models are, with or without a closing slash.
  ///   - dialect: how it speaks of its rows.
  ///   - options: how the server is reached.
  ///   - authorization: gives the value of the field `Authorization`.
  /// - Throws: ``ServiceError``.
  public static func rest(
    server: String, dialect: RestDialect = RestDialect(),
    options: ServiceOptions = ServiceOptions(), authorization: AuthorizationSource? = nil
  ) throws -> any QueriedEndpoint {
    try RestEndpoint(
      server: server, dialect: dialect, options: options, authorization: authorization)
  }

  /// Keeps an account's credentials in a file that only its owner may read, whose directory must
  /// exist.
  ///
  /// The file is written whole or not at all, with the rights 0600. One that others may read is
  /// refused, and so is a directory in which others may put a file in its place (``ServiceError``).
  public static func credentials(inFile path: String) -> any CredentialStore {
    FileCredentials(path: path)
  }

  #if canImport(Security)
    /// Keeps an account's credentials in the keychain of the system, readable after the first
    /// unlock, and on this device only.
    ///
    /// - Parameter service: the name under which they are kept, as that of an app and a server.
    public static func credentials(inKeychainAs service: String) -> any CredentialStore {
      KeychainCredentials(service: service)
    }
  #endif
}
