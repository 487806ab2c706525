import Foundation
import SyncLock
import SyncTransport
import TestSupport

@testable import CatalogMirror
@testable import SyncText

/// What the site answers.
extension ModelWeb {
  func decide(_ request: HTTPRequest) -> WebAnswer {
    let path = String(request.address.path.dropFirst("/pub/".count))
    let (publication, weather) = state.withLock { ($0.publication, $0.weather) }
    if path.hasPrefix("catalog") { return catalog(path, request, publication, weather) }
    if weather.hasPacks, let pack = PublicationPacks(publication)[path] {
      let part = WebAnswer(pack).part(of: request)
      return world.oneIn(weather.itemFaults) ? spoiled(part, wrong: true) : part
    }
    if let key = path.removingPercentEncoding, let item = publication.items[key] {
      return serve(item, request, weather)
    }
    let previews = publication.items.values.compactMap(\.preview)
    guard let preview = previews.first(where: { $0.path == path }) else {
      return WebAnswer(status: 404)
    }
    let answer = WebAnswer(preview.bytes)
    return world.oneIn(weather.itemFaults) ? spoiled(answer, wrong: false) : answer
  }

  private func serve(
    _ item: Publication.Item, _ request: HTTPRequest, _ weather: Weather
  ) -> WebAnswer {
    var answer = WebAnswer(item.bytes)
    if let tag = item.tag { answer.headers.append(("ETag", tag)) }
    let ranged = answer.part(for: request, tag: item.tag)
    guard world.oneIn(weather.itemFaults) else { return ranged }
    return spoiled(ranged, wrong: item.hasDigest)
  }

  /// An answer with something wrong in it; wrong bytes only where a digest tells.
  private func spoiled(_ right: WebAnswer, wrong: Bool) -> WebAnswer {
    var answer = right
    switch world.number(0...11) {
    case 0: return WebAnswer(status: 404)
    case 1: return WebAnswer(status: 503)
    case 2:
      answer = WebAnswer(status: 429)
      answer.headers = [("Retry-After", "\(world.number(0...300))")]
    case 3: return WebAnswer(status: 304)
    case 4: return WebAnswer(status: 416)
    case 5:
      answer.status = 206
      answer.headers.append(("Content-Range", "bytes 3-9/100"))
    case 6: return WebAnswer(refusal: .couldNotConnect)
    case 7: return WebAnswer(refusal: .stalled)
    case 8 where wrong && !answer.body.isEmpty: answer.body[0] ^= 1
    case 9: answer.body.append(contentsOf: wrong ? Array("more".utf8) : [])
    case 10:
      // Where nothing else tells, a server that doesn't say how much it sends isn't believed.
      answer.isFramed = false
      answer.cut = world.number(0...max(0, answer.body.count - 1))
    default: answer.cut = world.number(0...answer.body.count)
    }
    return answer
  }
}

/// The catalog and what may be wrong with it.
extension ModelWeb {
  private func catalog(
    _ path: String, _ request: HTTPRequest, _ publication: Publication, _ weather: Weather
  ) -> WebAnswer {
    let page = Int(path.filter(\.isNumber)) ?? 1
    switch weather.fault {
    case .busyOnce where state.withLock({ $0.takeBusy() }): return WebAnswer(status: 503)
    case .busy: return WebAnswer(status: 503)
    case .notFound: return WebAnswer(status: 404)
    case .lostPage where page > 1: return WebAnswer(status: 404)
    case .emptyBody: return WebAnswer("")
    case .loginPage:
      var answer = WebAnswer("<!DOCTYPE html><html><body>Please log in</body></html>")
      answer.headers = [("Content-Type", "text/html")]
      return answer
    default: break
    }
    var answer = WebAnswer(text(ofPage: page, publication, weather))
    let tag = "\"\(SHA256Digest(of: answer.body).description.prefix(16))\""
    if request.headers["If-None-Match"] == tag {
      answer = WebAnswer(status: 304)
    }
    answer.headers = [("ETag", tag), ("Content-Type", "application/x-ndjson")]
    if weather.fault == .cut || weather.fault == .cutUnnoticed {
      answer.cut = world.number(0...max(0, answer.body.count - 1))
      answer.isFramed = weather.fault == .cut
    }
    return answer
  }

  private func text(
    ofPage page: Int, _ publication: Publication, _ weather: Weather
  ) -> String {
    let list = weather.fault == .emptyList ? [] : publication.list
    let size = (list.count + weather.pages - 1) / weather.pages
    let packs = weather.hasPacks ? PublicationPacks(publication) : nil
    var lines = list.dropFirst((page - 1) * size).prefix(max(size, 0)).map { $0.entry(in: packs) }
    var header = "{\"catalog\":1"
    if page == 1 { header += packs?.header ?? "" }
    if weather.fault != .unvouched { header += ",\"complete\":true" }
    let count = weather.fault == .wrongCount ? list.count + 1 : list.count
    // What nothing vouches for is vouched for by a count.
    if weather.fault == .wrongCount { header += ",\"count\":\(count)" }
    header += ",\"revision\":\(revision(publication, weather))"
    if page < weather.pages { header += ",\"next\":\"catalog-\(page + 1).ndjson\"" }
    if page == 1 {
      switch weather.fault {
      case .hostileKey: lines.append("{\"key\":\"../outside\"}\n")
      case .duplicateKey: if let first = lines.first { lines.append(first) }
      default: break
      }
    }
    let rubbish = weather.fault == .trailingRubbish ? "{\"key\":" : ""
    return header + "}\n" + lines.joined() + rubbish
  }

  private func revision(_ publication: Publication, _ weather: Weather) -> Int {
    switch weather.fault {
    case .rollback: publication.revision - 50
    case .sameRevision: state.withLock { $0.lastRevision }
    default: publication.revision
    }
  }
}

extension ModelWeb.State {
  fileprivate mutating func takeBusy() -> Bool {
    busyAnswers += 1
    return busyAnswers == 1
  }
}
