package import DocumentSync

extension ServerState {
  /// Carries out what is asked for a file.
  package mutating func receive(_ request: FileRequest) -> FileReply.End {
    switch request {
    case .store(let place, let facts, let bytes):
      if let most = manners.longestFile, bytes.count > most {
        return .refused(status: 413, words: "too long")
      }
      fileEvents.append(.stored(facts.name))
      files[place] = bytes
      return .there(Self.file(place, bytes))
    case .find(let place): return files[place].map { .there(Self.file(place, $0)) } ?? .missing
    case .read(let file, let offset, let count):
      guard let found = files.first(where: { $0.key.location == file.location }) else {
        return .missing
      }
      fileEvents.append(.read(offset))
      return .bytes(Array(found.value.dropFirst(Int(offset)).prefix(count)), from: offset)
    case .remove(let place):
      fileEvents.append(.removed)
      files[place] = nil
      return .missing
    }
  }

  private static func file(_ place: FilePlace, _ bytes: [UInt8]) -> ServerFile {
    ServerFile(location: place.location, digest: place.digest, size: Int64(bytes.count))
  }
}

/// What happened to a server's files.
package enum ServerFileEvent: Sendable, Hashable {
  case stored(String)
  /// Bytes from an offset on were read.
  case read(Int64)
  case removed
}

extension FilePlace {
  fileprivate var location: String { "\(collection)/\(document.text)/\(digest)" }
}
