public import SyncFetching

/// Why a service can't be reached as it was described, or credentials can't be kept.
public enum ServiceError: Error, Sendable, Hashable {
  // About a service.
  /// The address, shown without secrets, is no http or https URL.
  case badAddress(String)
  /// There is a name or a password in the address.
  case userInfo
  /// The address, shown without secrets, has a query or a fragment.
  case queryOrFragment(String)
  /// The address, shown without secrets, leads into the service: to a bucket, a collection.
  case inside(String)
  /// The service can't have something of this name.
  case badName(String)
  /// An encoding of text of this name isn't known.
  case badCharset(String)
  /// No address that is of one file alone can be made of this template, see ``RestFiles``.
  case badTemplate(String)
  /// A file that the access names can't be read; its path, escaped.
  case unreadableFile(SourceAccess.File, path: String)

  // About credentials.
  /// Others may read the file: it has these rights.
  case readableByOthers(path: String, mode: UInt32)
  /// Others may write in its directory, which has these rights.
  case directoryOfOthers(path: String, mode: UInt32)
  /// It is no regular file, or a link.
  case notAFile(path: String)
  /// What it holds are no credentials.
  case unreadable(path: String)
  /// The system refused, in these words.
  case system(path: String, words: String)
  /// The keychain refused, with this number of the system's.
  case keychain(status: Int32)
}

extension ServiceError: CustomStringConvertible {
  /// What is wrong, and what to do, for a place behind a colon.
  public var description: String {
    switch self {
    case .badAddress(let address):
      "\"\(address)\" is no address of http or https; give one such as https://example.org/api"
    case .userInfo: "a name or a password stands in the address; give them as credentials"
    case .queryOrFragment(let address):
      "\"\(address)\" has a query or a fragment; leave out what follows the path"
    case .inside(let address):
      "\"\(address)\" leads into a bucket; name the server alone, and the bucket beside it"
    case .badName(let name):
      "\"\(name)\" is no name for it: letters, digits, \"-\" and \"_\", of which the last two don't"
        + " begin one"
    case .badCharset(let name):
      "the encoding \"\(name)\" isn't known; utf-8, iso-8859-1, utf-16 and utf-16le are"
    case .badTemplate(let template):
      "\"\(template)\" makes no address of a file alone; it takes {id} and {member}, as in"
        + " https://files.example.org/{type}/{id}/{member}/{name}"
    case .unreadableFile(_, let path): "the file \(path) can't be read"
    case .readableByOthers(let path, let mode):
      "\(path) can be read by others (its rights are \(Self.octal(mode))): make them 0600, and "
        + "change the password"
    case .directoryOfOthers(let path, let mode):
      "others may write in the directory of \(path) (its rights are \(Self.octal(mode))); make them"
        + " 0700"
    case .notAFile(let path): "\(path) is no file"
    case .unreadable(let path): "\(path) holds no credentials; remove it, and sign in again"
    case .system(let path, let words): "\(path): \(words)"
    case .keychain(let status): "the keychain refused (\(status))"
    }
  }

  private static func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}
