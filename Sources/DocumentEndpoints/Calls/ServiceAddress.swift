import DocumentSync
import SyncText
import SyncTransport

/// The address of a service, under which it keeps whatever it has.
enum ServiceAddress {
  /// The address without a closing slash.
  ///
  /// - Throws: ``ServiceProblem``.
  static func read(_ text: String) throws(ServiceProblem) -> WebAddress {
    let shown = WebAddress.redact(text)
    guard let reference = URLReference(text), let web = try? WebAddress(text) else {
      throw .badAddress(shown)
    }
    guard !reference.hasUserInfo else { throw .userInfo }
    guard reference.query == nil, !text.utf8.contains(UInt8(ascii: "#")) else {
      throw .queryOrFragment(shown)
    }
    let steps = web.path.split(separator: "/").joined(separator: "/")
    guard let root = try? WebAddress("\(web.origin)\(steps.isEmpty ? "" : "/\(steps)")") else {
      throw .badAddress(shown)
    }
    return root
  }
}
