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
    case 404 where KintoSaying(try? answer.json()).kind != nil: return .missing
    default: throw refusal(answer, expecting: "a collection")
    }
  }

  /// Makes the bucket and the collection where they aren't there. What is there stays as it is.
  ///
  /// - Returns: whether anything was made.
  func make(_ collection: String) async -> Bool {
    let bucket = await make(path: places.bucketPath)
    let made = await make(path: places.path(of: collection))
    return bucket || made
  }

  private func make(path: String) async -> Bool {
    guard let address = try? places.address(path) else { return false }
    let request = ServiceRequest.put(
      address, Array("{}".utf8), fields: [("If-None-Match", "*")])
    guard case .success(let answer) = await caller.call(request) else { return false }
    return answer.status == 201
  }
}
