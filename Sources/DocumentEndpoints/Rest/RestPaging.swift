public import DocumentSync
import SyncText

/// How the pages of a service's lists hang together.
public enum RestPaging: Sendable, Hashable {
  /// By the address of the next page, wherever a page says it: `Link: rel="next"` (RFC 8288), or a
  /// member such as `next`.
  case links
  /// By the address that stands at this path of a page; where nothing stands, or `null`, there is
  /// no next page, unless it's said as ``links`` are.
  case next(DocumentPath)
  /// By a text or a number at this path of a page, which is a parameter of the next request. Where
  /// nothing stands, `null`, or an empty text, there is no next page.
  case cursor(DocumentPath, parameter: String)
  /// By a parameter that says how many rows came before, until a page has none, or as many came as
  /// a page says that there are. Rows that come or go meanwhile shift the others over the pages'
  /// ends, so that some are missed: what is missing is only removed if each page tells one and the
  /// same total, and as many rows came, or if the service has none of that key when it's asked.
  case offset(parameter: String)
  /// As ``offset(parameter:)``, by a parameter that counts the pages, from 1.
  case page(parameter: String)

  /// Whether rows that come or go meanwhile may hide others.
  var shifts: Bool {
    switch self {
    case .offset, .page: true
    case .links, .next, .cursor: false
    }
  }
}

extension RestRemainder {
  /// Where a page goes on that doesn't say an address.
  ///
  /// - Parameters:
  ///   - count: how many rows it has.
  ///   - whole: its body.
  ///   - address: that it was asked for at.
  mutating func goOn(
    by paging: RestPaging, after count: Int, _ whole: DocumentValue?, from address: String
  ) {
    guard next == nil, let current = URLReference(address) else { return }
    switch paging {
    case .links: break
    case .next(let path):
      guard let value = whole?[path], !value.isNull else { break }
      if let text = value.string ?? value["href"]?.string {
        next = text.isEmpty ? nil : text
      } else {
        saysMore(path.description)
      }
    case .cursor(let path, let parameter):
      guard let value = whole?[path], !value.isNull, value.string != "" else { break }
      guard let text = value.string ?? value.integer.map({ "\($0)" }) else {
        saysMore(path.description)
        break
      }
      next = current.setting(parameter, to: text).text
    case .offset(let parameter):
      guard count > 0, !isEnd else { break }
      let start = current.number(of: parameter) ?? 0
      next = current.setting(parameter, to: "\(start + count)").text
    case .page(let parameter):
      guard count > 0, !isEnd else { break }
      next = current.setting(parameter, to: "\((current.number(of: parameter) ?? 1) + 1)").text
    }
  }
}
