import DocumentSync
import SyncText
import SyncTransport

extension KintoEndpoint {
  /// What is known of a collection itself.
  enum Home: Equatable {
    /// It's there, in this version; `nil` where that may not be read.
    case there(Int64?)
    /// It isn't there, or its bucket isn't.
    case missing
  }

  /// Asks for the collection itself.
  func home(of collection: String) async throws -> Home {
    let answer = try await ask(places.path(of: collection))
    switch answer.status {
    case 200:
      guard let version = KintoSaying(try json(of: answer)).data?["last_modified"]?.integer else {
        throw Self.unreadable("it isn't a collection", answer)
      }
      return .there(version)
    case 403: return .there(nil)
    case 404 where KintoSaying(answer).kind != nil: return .missing
    default: throw refusal(answer, expecting: "a collection")
    }
  }

  /// What came of making a collection.
  struct Making {
    var isMade = false
    /// What the server asked for beside its answers.
    var wishes = ServerWishes()
    /// Why it can't be made just now.
    var trouble: EndpointError?
  }

  /// Makes the bucket and the collection where they aren't there. What is there stays as it is.
  func make(_ collection: String) async -> Making {
    var making = Making()
    for path in [places.bucketPath, places.path(of: collection)] where making.trouble == nil {
      await make(path: path, &making)
    }
    return making
  }

  private func make(path: String, _ making: inout Making) async {
    guard let address = try? places.address(path) else { return }
    let request = ServiceRequest.put(
      address, Array("{}".utf8), fields: [("If-None-Match", "*")])
    switch await caller.call(request) {
    case .success(let answer):
      making.isMade = making.isMade || answer.status == 201
      making.wishes = making.wishes.joined(with: answer.notes().wishes)
      making.trouble = Self.trouble(refusal(answer, expecting: "a bucket or a collection"))
    case .failure(let failure): making.trouble = failure.error as? EndpointError
    }
  }

  /// What is no word of the server's on what was asked.
  private static func trouble(_ error: EndpointError) -> EndpointError? {
    switch error.reason {
    case .refused(let status, _, _):
      [408, 425, 429].contains(status) || status >= 500 ? error : nil
    case .lost, .unreachable: error
    case .unreadable, .impossible: nil
    }
  }
}
