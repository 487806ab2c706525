import Console
import DocumentSync

/// Which documents wait for somebody: the first of each kind.
struct WaitingDocuments: Sendable {
  private static let most = 10

  private let conflicts: [DocumentID]
  private let setAside: [DocumentID]
  private let failures: [DocumentFailure]
  private let troubles: [FileTrouble]
  /// How many files a server refused to take or to remove.
  let filesSetAside: Int

  init(_ summary: StoreSummary, of replica: DocumentReplica) async throws {
    conflicts = try await replica.givenNames(of: summary.conflicts)
    setAside = try await replica.givenNames(of: summary.setAside)
    filesSetAside = summary.files.refused + summary.files.unremoved
    failures = try await replica.failures()
    troubles = try await replica.fileTroubles(limit: Self.most)
  }

  /// What couldn't be stored, a line each.
  var failed: [String] {
    failures.prefix(Self.most).map {
      "\($0.name.escaped) of \($0.collection) couldn't be stored: "
        + "\(Declarations.asOptions($0.words).escaped); each sync asks for it again"
    }
  }

  /// Files that aren't where they are to be, a line each.
  var fileTroubles: [String] {
    troubles.map { "\($0.document.text), \($0.told)".escaped }
  }

  /// What is to be done about them, a line a kind.
  func lines(_ counts: StoreCounts) -> [String] {
    var lines: [String] = []
    if counts.conflicts > 0 {
      lines.append(
        "\(counts.conflicts) in conflict; decide with 'documents resolve'"
          + Self.list(conflicts, of: counts.conflicts))
    }
    if counts.setAside > 0 {
      lines.append(
        "\(counts.setAside) set aside; edit them, or 'documents sync --retry'"
          + Self.list(setAside, of: counts.setAside))
    }
    return lines
  }

  /// What is to be done about files, for those who aren't told of each.
  var linesOfFiles: [String] {
    guard filesSetAside > 0 else { return [] }
    let ids = troubles.filter { $0.kind == .refused || $0.kind == .removing }.map(\.document)
    return [
      "\(Amounts.count(filesSetAside, "file")) set aside; 'documents sync --retry'"
        + Self.list(ids, of: filesSetAside)
    ]
  }

  private static func list(_ ids: [DocumentID], of count: Int) -> String {
    guard !ids.isEmpty else { return "" }
    let names = ids.map { $0.text.escaped }.joined(separator: ", ")
    return ": \(names)" + (count > ids.count ? " and others" : "")
  }
}

extension DocumentReplica {
  /// What documents are called by whom saved them.
  fileprivate func givenNames(of ids: [DocumentID]) async throws -> [DocumentID] {
    var names: [DocumentID] = []
    for id in ids { names.append(try await givenName(of: id)) }
    return names
  }
}

extension FileTrouble {
  var told: String { "the file \(name): \(words)" }
}
