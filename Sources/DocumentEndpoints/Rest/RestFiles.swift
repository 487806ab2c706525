/// Where a REST service, which keeps no files itself, has files stored: each under an address of
/// its own, which a member of its row has from then on.
///
/// ```swift
/// var dialect = RestDialect()
/// dialect.files = RestFiles(at: "https://files.example.org/{type}/{id}/{member}/{name}")
/// ```
///
/// A file is sent with `PUT` to its address, once its row is at the service, and removed with
/// `DELETE` from there, once no member of the row has the address. Of the service's authorization
/// another server than the service's own is told nothing.
public struct RestFiles: Sendable, Hashable {
  package let template: String
  package let answer: String?

  /// - Parameters:
  ///   - template: the address, whole, or below the service's: `files/{type}/{id}/{member}`. Behind
  ///     the host these stand for what they name, percent-encoded: `{type}`, the model; `{id}`, the
  ///     row's key; `{member}`; `{name}`, what people call the file; `{digest}`, the SHA-256 digest
  ///     of its content in hexadecimal digits. Where none of the last two is among them, another
  ///     file of a member takes the place of the one before. Unless the service makes addresses
  ///     itself, `{id}` and `{member}` have to be among them, or no endpoint is made:
  ///     ``ServiceError/badTemplate(_:)``; and with several models so does `{type}`, which nobody
  ///     checks here.
  ///   - answer: the member of the answer, a JSON object, that has the file's own address, where
  ///     the service makes that itself; a file is sent with `POST` then. By default it's the
  ///     address that it was sent to.
  public init(at template: String, answer: String? = nil) {
    (self.template, self.answer) = (template, answer)
  }

  /// What all addresses of a member's files begin and end with, and whether there is but one;
  /// `nil` where a value makes none, and where the service makes them.
  func frame(_ values: [String]) -> (start: String, end: String, isWhole: Bool)? {
    guard answer == nil, let address = address(values + ["\u{1}", "\u{1}"]) else { return nil }
    let parts = address.components(around: "%01")
    return (parts.first ?? "", parts.last ?? "", parts.count == 1)
  }

  static let names = ["type", "id", "member", "name", "digest"]

  /// The address with these values, in the order of ``names``; `nil` where a value makes none.
  func address(_ values: [String]) -> String? {
    guard values.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    var address = template
    for (name, value) in zip(Self.names, values) {
      address = address.split(separator: "{\(name)}", omittingEmptySubsequences: false)
        .joined(separator: RestEndpoint.encoded(value))
    }
    return address
  }
}

extension String {
  /// What stands around each place where a text stands.
  fileprivate func components(around text: String) -> [String] {
    split(separator: text, omittingEmptySubsequences: false).map(String.init)
  }
}
