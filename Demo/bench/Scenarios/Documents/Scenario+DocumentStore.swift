import Foundation

/// B24 and B25: the store of documents by itself.
extension Scenario {
  static func documentsSaved(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(100_000, quick: 500)
    return Scenario(
      name: "B24", title: "\(Units.count(count)) new documents saved in one transaction",
      note: "Each is checked as JSON and enters the outbox. Beside it, the same texts are put into "
        + "a table of ids and texts, by an upsert that looks at nothing.",
      contenders: [
        contender("documents", .save, count), contender("a bare upsert", .upsert, count),
      ],
      bars: [
        Bar("documents", .wall, .times(2, fastestOf: ["a bare upsert"])),
        Bar("documents", .wall, .atMost(Double(count) / 20_000)),
      ],
      room: documentRoom(count), isServed: false)
  }

  static func documentsRead(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(100_000, quick: 500)
    return Scenario(
      name: "B25", title: "A document by its id, and by a query, among \(Units.count(count))",
      note: "A thousand of each, one at a time. The query asks for one value of a member that has "
        + "an index.",
      contenders: [contender("documents", .read, count)],
      bars: [
        Bar("documents", .extra(getFigure), .atMost(50)),
        Bar("documents", .extra(queryFigure), .atMost(1)),
      ],
      room: documentRoom(count), isServed: false)
  }

  private static let getFigure = "µs of a document by its id, at the median"
  private static let queryFigure = "ms of a query with an index, at the median"

  private static func documentRoom(_ count: Int) -> Ground.Room {
    Ground.Room(bytes: 20_000_000 + count * 3_000, files: 100)
  }

  private static func contender(
    _ name: String, _ part: DocumentPart, _ count: Int
  ) -> Contender {
    Contender(
      nil, name,
      Command(Workshop.program, "documents", part.rawValue, "\(count)", "documents.sqlite")
    ).examined { evidence, sample in
      let finding = try JSONDecoder().decode(
        DocumentPart.Finding.self, from: Data(evidence.output.utf8))
      guard finding.wrong == 0 else {
        throw BenchProblem(description: "\(name): \(finding.wrong) documents are missing or wrong")
      }
      sample.wall = finding.seconds
      sample.extra[getFigure] = finding.get
      sample.extra[queryFigure] = finding.query
    }
  }
}
