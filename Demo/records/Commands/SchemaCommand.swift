import Console
import RecordSync

struct SchemaCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() async throws -> ExitStatus {
    let schema = try await invocation.open().schema()
    return await Streams.telling { [invocation] in
      if invocation.style == .json {
        for line in schema.jsonLines { Streams.out(String(decoding: line, as: UTF8.self)) }
      } else {
        let text = schema.text
        Streams.out(
          text.isEmpty ? "there are no tables in this database" : String(text.dropLast()))
      }
      return .done
    }
  }
}
