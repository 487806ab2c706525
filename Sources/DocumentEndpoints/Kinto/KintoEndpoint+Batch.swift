package import DocumentSync
import SyncText
import SyncTransport

extension KintoEndpoint {
  /// Stores, removes or shows many documents.
  ///
  /// What can't be sent in a batch is sent by itself, after it.
  @concurrent package func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    let together = requests.indices.filter { canShare(requests[$0]) }
    guard together.count > 1 else {
      return EndpointReply<BatchEnd>(.parts(await pushAlone(requests)))
    }
    let answer: ServiceAnswer
    do throws(EndpointError) {
      let sent = ServiceRequest(
        method: .post, address: try places.address(places.batch),
        body: batchBody(together.map { requests[$0] }))
      answer = try await caller.call(sent)
    } catch {
      return EndpointReply<BatchEnd>(.whole(error.end), notes: error.notes)
    }
    guard let parts = parts(of: answer, to: together.map { requests[$0] }) else {
      return EndpointReply<BatchEnd>(
        .whole(Self.whole(answer)), notes: answer.notes(problem: Self.problem(of: answer)))
    }
    var answered: [Int: KintoAnswered] = [:]
    for (place, part) in zip(together, parts) { answered[place] = part }
    for place in requests.indices where answered[place] == nil {
      answered[place] = await send(requests[place])
    }
    return EndpointReply<BatchEnd>(
      .parts(await settle(requests.indices.compactMap { answered[$0] })),
      notes: answer.notes(keepingCall: false))
  }

  private func pushAlone(_ requests: [PushRequest]) async -> [EndpointReply<PushEnd>] {
    var parts: [EndpointReply<PushEnd>] = []
    for request in requests { parts.append(await push(request)) }
    return parts
  }

  /// A server refuses a whole batch for a part that seems to be a batch itself: by what stands in
  /// its path.
  private func canShare(_ request: PushRequest) -> Bool {
    request.kintoProblem == nil && request.kintoFields != nil
      && !places.record(request.id, of: request.collection).contains(places.batch)
  }

  private func batchBody(_ requests: [PushRequest]) -> [UInt8] {
    var bytes = Array("{\"requests\":[".utf8)
    for (place, request) in requests.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      // The body is written as it stands, and so comes last, by hand.
      var part = JSONWriter.object { part in
        part.add("method", request.kintoMethod.name)
        part.add("path", places.record(request.id, of: request.collection))
        part.object("headers") { headers in
          for field in request.kintoFields ?? [] { headers.add(JSONText(field.name), field.value) }
        }
      }
      if let body = request.kintoBody {
        part.removeLast()
        part += Array(",\"body\":".utf8) + body + Array("}".utf8)
      }
      bytes += part
    }
    return bytes + Array("]}".utf8)
  }

  private func parts(
    of answer: ServiceAnswer, to requests: [PushRequest]
  ) -> [KintoAnswered]? {
    guard answer.status == 200, let elements = (try? answer.json())?["responses"]?.elements,
      elements.count == requests.count
    else { return nil }
    var parts: [ServiceAnswer] = []
    for (element, request) in zip(elements, requests) {
      guard let part = part(element, of: answer, to: request) else { return nil }
      parts.append(part)
    }
    // What breaks one part takes the others back.
    let isUndone = parts.contains { $0.status == 409 || $0.status >= 500 }
    return zip(requests, parts).map { request, part in
      guard isUndone, (200...299).contains(part.status), request.kind != .look else {
        return KintoAnswered(request, part)
      }
      return KintoAnswered(request, EndpointError(.lost, notes: part.notes()))
    }
  }

  private func part(
    _ json: JSONValue, of answer: ServiceAnswer, to request: PushRequest
  ) -> ServiceAnswer? {
    let path = places.record(request.id, of: request.collection)
    guard let status = json["status"]?.integer, json["path"]?.string?.hasSuffix(path) ?? false
    else { return nil }
    var headers = HTTPHeaders()
    for member in json["headers"]?.members ?? [] {
      let name = String(decoding: member.name, as: UTF8.self)
      if let value = member.value.string { headers.add(name, value) }
    }
    if headers["Date"] == nil, let date = answer.headers["Date"] { headers.add("Date", date) }
    return ServiceAnswer(
      method: request.kintoMethod.name, address: places.root.text + path,
      status: Int(clamping: status), headers: headers,
      body: json["body"].map { Array($0.written) } ?? [], now: answer.now,
      secrets: answer.secrets)
  }

  /// What an answer without parts means for all of them.
  private static func whole(_ answer: ServiceAnswer) -> PushEnd {
    guard !(200...299).contains(answer.status) else { return .unreadable }
    let said = KintoBody(answer)
    let isOfDocuments = ![403, 404, 405, 410].contains(answer.status)
    return .answered(
      PushAnswer(
        status: answer.status == 405 ? 403 : answer.status, words: said.words,
        subject: isOfDocuments ? .document : .collection))
  }

  private static func problem(of answer: ServiceAnswer) -> String? {
    (200...299).contains(answer.status) ? "it isn't an answer to each part of a batch" : nil
  }
}
