import Access
import Console
import DocumentEndpoints
import DocumentSync

/// Where an account's password is: in a file, in the environment, or in the netrc.
enum Password {
  static func authorization(of setup: StoreSetup, _ request: SyncRequest) throws -> String? {
    guard let password = try password(of: setup, request) else {
      guard !setup.account.isEmpty else { return nil }
      throw ProgramProblem.noPassword(account: setup.account)
    }
    switch setup.kind {
    case .service: return "Token token=\(password)"
    case .rest where setup.account.isEmpty: return "Token \(password)"
    case .kinto where setup.account.isEmpty: return nil
    case .kinto, .rest: break
    }
    return "Basic \(Data("\(setup.account):\(password)".utf8).base64EncodedString())"
  }

  /// What to say and to do where the server lets nobody in with what it was given.
  static func refused(of setup: StoreSetup, _ request: SyncRequest) -> String {
    let end = "; nothing was dropped."
    let isToken = setup.kind == .service || setup.account.isEmpty
    let what = isToken ? "the token" : "the password of '\(setup.account.escaped)'"
    if let words = try? authorization(of: setup, request), !words.isEmpty {
      return "the server doesn't accept \(what)\(end) It was taken from"
        + " \(place(setup, request)); mend it there, and sync again"
    }
    let given = [
      request.access.headers.isEmpty ? nil : "--header",
      request.access.tokenFile.map { "--token-file \($0.escaped)" },
      request.access.netrcFile.map { "--netrc-file \($0.escaped)" },
      request.access.usesNetrc ? "--netrc" : nil,
    ].compactMap(\.self)
    guard given.isEmpty else {
      return "the server doesn't accept what \(given.joined(separator: " and ")) gives\(end) Mend"
        + " that, and sync again"
    }
    let account = "say whose documents they are with 'documents init … --account NAME'"
    return "the server wants to know who asks, and was told of nobody\(end) "
      + (setup.kind == .kinto
        ? "For a password, \(account); what else it asks for goes with --header or --token-file"
        : "For a token, name its file with --password-file; for a password, \(account); what else"
          + " it asks for goes with --header or --token-file")
  }

  /// Where the password was found.
  private static func place(_ setup: StoreSetup, _ request: SyncRequest) -> String {
    if let file = request.passwordFile ?? setup.passwordFile { return "the file \(file.escaped)" }
    let environment = ProcessInfo.processInfo.environment
    if environment["DOCUMENTS_PASSWORD"]?.isEmpty == false { return "DOCUMENTS_PASSWORD" }
    return "the netrc \((environment["NETRC"] ?? "~/.netrc").escaped)"
  }

  private static func password(of setup: StoreSetup, _ request: SyncRequest) throws -> String? {
    if let file = request.passwordFile ?? setup.passwordFile {
      return try password(inFile: file)
    }
    let environment = ProcessInfo.processInfo.environment
    if let password = environment["DOCUMENTS_PASSWORD"], !password.isEmpty { return password }
    let named = environment["NETRC"]
    guard let path = named ?? environment["HOME"].map({ "\($0)/.netrc" }) else { return nil }
    guard let bytes = NamedFile.bytes(of: path) else {
      if let named { throw ProgramProblem.unreadable(named) }
      return nil
    }
    let host = URL(string: setup.server)?.host ?? setup.server
    return Netrc.password(
      in: String(decoding: bytes, as: UTF8.self), host: host, login: setup.account)
  }

  /// The first line of a file that nobody else may read.
  private static func password(inFile path: String) throws -> String {
    let limit = 64 << 10
    guard let file = NamedFile.file(at: path, limit: limit) else {
      throw ProgramProblem.unreadable(path)
    }
    guard !file.isOpenToOthers else {
      throw UsageError(
        "the password file '\(path)' can be read by others; nothing was sent."
          + " Say 'chmod 600' of it, and change the password if somebody may have read it")
    }
    guard file.bytes.count <= limit else {
      throw UsageError("the password file '\(path)' has more than 64 KB; a password has a line")
    }
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw ProgramProblem.unreadable(path)
    }
    guard let password = text.split(whereSeparator: \.isNewline).first else {
      throw UsageError("the password file '\(path)' is empty; write the password into it")
    }
    return String(password)
  }

  /// What is wrong with the file in which a password is to be; `nil` if nothing is, or there is to
  /// be none.
  static func problem(withFileOf setup: StoreSetup) -> String? {
    guard let file = setup.passwordFile else { return nil }
    do {
      _ = try password(inFile: file)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
