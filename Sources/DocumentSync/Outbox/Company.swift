/// With how many others an entry may share a request.
///
/// A server that breaks over one part of a batch says so of the whole batch. The entries then
/// travel in ever smaller batches, until the one that it breaks over stands alone and lets all
/// others pass.
enum Company: Sendable, Equatable {
  /// As many as the server takes.
  case any
  case atMost(Int)
  /// Alone, and after all that can be sent without it: it failed alone.
  case last

  /// How many a request with it may hold.
  var capacity: Int {
    switch self {
    case .any: .max
    case .atMost(let count): max(1, count)
    case .last: 1
    }
  }

  /// Its company from now on, after a request of so many broke the server.
  static func broken(in count: Int) -> Company {
    count > 1 ? .atMost(count / 2) : .last
  }

  /// Its company from now on, after a server wouldn't take a batch of so many.
  static func refused(in count: Int) -> Company { .atMost(max(1, count / 2)) }
}
