public import Console
public import SyncFetching
import SyncText

/// The options that say what a server is told and shown, and whom a program trusts: the same in
/// every program that fetches.
public enum AccessOptions {
  /// The options.
  ///
  /// - Parameters:
  ///   - commands: The commands that take them.
  ///   - access: Where in a request their values go.
  ///   - hosts: Where the hosts go that may be at private or loopback addresses.
  public static func options<Request: CommandRequest>(
    for commands: Set<Request.Command>,
    _ access: any WritableKeyPath<Request, SourceAccess> & Sendable,
    hosts: any WritableKeyPath<Request, Set<String>> & Sendable
  ) -> [Option<Request>] {
    credentials(for: commands, access) + [
      Option(
        "allow-host", for: commands, "a host that may be at a private or loopback address",
        isRepeatable: true,
        .value("HOST") { $0[keyPath: hosts].insert(try Value.host($1).lowercased()) }),
      Option(
        "ca-file", for: commands,
        "certificates to trust in place of the system's, or of those in SSL_CERT_FILE",
        .value("FILE") { $0[keyPath: access].caFile = $1 }),
      Option(
        "insecure", for: commands,
        "don't check servers' certificates: anybody on the way can read and change what comes",
        .flag { $0[keyPath: access].verifiesServers = false }),
      Option(
        "proxy", for: commands,
        "a proxy for all addresses, in place of those in the environment; '' is none",
        .value("URL") {
          $0[keyPath: access].proxy = $1.isEmpty ? .none : .url(try Value.host($1))
        }),
    ]
  }

  /// What is to be known before a server is asked, a sentence each without its full stop.
  ///
  /// - Parameter address: The server's; a file's is none.
  public static func warnings(of access: SourceAccess, for address: String) -> [String] {
    [
      access.verifiesServers ? nil : insecureWarning,
      Netrc.problem(with: access, host: URL(string: address)?.host),
    ].compactMap(\.self)
  }

  /// What is said loudly where servers' certificates aren't checked.
  private static let insecureWarning = """
    WARNING: servers' certificates aren't checked (--insecure): anybody on the way can read and \
    change everything, passwords too
    """

  private static func credentials<Request: CommandRequest>(
    for commands: Set<Request.Command>,
    _ access: any WritableKeyPath<Request, SourceAccess> & Sendable
  ) -> [Option<Request>] {
    [
      Option(
        "header", for: commands, "a header for the source's origin, or @FILE with one a line",
        isRepeatable: true,
        .value("NAME: VALUE|@FILE") { $0[keyPath: access].headers += try headers($1) }),
      Option(
        "token-file", for: commands, "a file with a bearer token for the source's origin",
        .value("FILE") { $0[keyPath: access].tokenFile = $1 }),
      Option(
        "netrc", for: commands, "look the password for the source's origin up in ~/.netrc",
        .flag { $0[keyPath: access].usesNetrc = true }),
      Option(
        "netrc-file", for: commands, "the same, in this file",
        .value("FILE") { $0[keyPath: access].netrcFile = $1 }),
      Option(
        "cert", for: commands, "a client certificate (PEM)",
        .value("FILE") { $0[keyPath: access].certificateFile = $1 }),
      Option(
        "cert-key", for: commands, "the key of the client certificate (PEM)",
        .value("FILE") { $0[keyPath: access].keyFile = $1 }),
    ]
  }

  /// Header lines: one as written, or those of a file.
  private static func headers(_ text: String) throws -> [SourceAccess.Header] {
    guard text.hasPrefix("@") else { return [try header(text)] }
    let path = String(text.dropFirst())
    let bytes = NamedFile.bytes(of: path)
    guard let lines = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) else {
      throw UsageError("the header file '\(path)' can't be read; check its name")
    }
    return try lines.split(whereSeparator: \.isNewline).map { try header(String($0)) }
  }

  private static func header(_ line: String) throws -> SourceAccess.Header {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, !parts[0].contains(where: \.isWhitespace) else {
      // The line isn't shown: it may hold a secret.
      throw UsageError("a header is written 'Name: value'")
    }
    return SourceAccess.Header(
      name: String(parts[0]), value: parts[1].withoutOuterWhitespace)
  }
}
