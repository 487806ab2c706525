import CatalogMirror
import Console

/// A command that looks at mirrors, as `mirror status FOLDER`; with `--config FILE [NAME…]` at one
/// after the other, so that what is told of each stands together.
struct EachCommand {
  private let configuration: MirrorConfiguration
  private let isConfigured: Bool

  init(_ invocation: Invocation) throws {
    isConfigured = invocation.source != nil
    configuration = try MirrorConfiguration(of: invocation)
  }

  /// Does `look` for each mirror, and answers what the program ends with.
  func run(
    _ look: (Invocation, MirrorClient) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let client = MirrorClient()
    guard isConfigured else { return try await look(configuration.whole, client) }
    var statuses: [ExitStatus] = []
    for mirror in configuration.mirrors {
      // Whoever ended one of them meant all.
      guard statuses.last != .cancelled else { break }
      let subject = Subject(program: "mirror", "mirror", mirror.name)
      let status = await Subject.$current.withValue(subject) {
        Streams.warn(of: mirror.invocation)
        do {
          return try await look(mirror.invocation, client)
        } catch {
          Streams.complain(error)
          return ExitStatus(error)
        }
      }
      statuses.append(status)
    }
    return ExitStatus.ofAll(statuses)
  }
}
