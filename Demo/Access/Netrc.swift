import Console
import SyncFetching

/// Passwords by hosts, as other programs have them in `~/.netrc`.
public enum Netrc {
  /// The first password of a netrc for a host.
  ///
  /// - Parameter login: Who is meant; `nil` for whoever it says.
  public static func password(in text: String, host: String, login: String?) -> String? {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    var (isMeant, name, password) = (false, String?.none, String?.none)
    var found: String?
    func settle() {
      if isMeant, found == nil, name == nil || login == nil || name == login { found = password }
    }
    while let word = words.popFirst() {
      switch word {
      case "machine", "default":
        settle()
        (name, password) = (nil, nil)
        isMeant = word == "default" || words.popFirst()?.lowercased() == host.lowercased()
      case "login": name = words.popFirst()
      case "password": password = words.popFirst()
      default: break
      }
    }
    settle()
    return found
  }

  /// Why a netrc that is to be consulted says nothing of a host; `nil` if it does, or isn't to be.
  ///
  /// - Parameter host: Whom it is consulted for; `nil` for no server.
  static func problem(with access: SourceAccess, host: String?) -> String? {
    guard access.usesNetrc || access.netrcFile != nil, let host else { return nil }
    let home = ProcessInfo.processInfo.environment["HOME"].map { "\($0)/.netrc" }
    let path = access.netrcFile ?? home ?? "~/.netrc"
    guard let bytes = NamedFile.bytes(of: path) else {
      // That one that was named can't be read ends the run.
      guard access.netrcFile == nil else { return nil }
      return "there is no netrc '\(path.escaped)' that can be read; it was to have a"
        + " password for \(host.escaped)"
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard password(in: text, host: host, login: nil) == nil else { return nil }
    return "the netrc '\(path.escaped)' has no password for \(host.escaped)"
  }
}
