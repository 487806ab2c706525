import DocumentSync
import SyncFiles

/// Reads and writes a file of credentials. Its calls block.
struct CredentialFile {
  let path: String
  private let directory: String
  private let name: [UInt8]

  /// More than that no credentials have.
  private static let longest = 65_536

  init(path: String) {
    self.path = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    name = Array(slash.map { path.utf8[path.utf8.index(after: $0)...] } ?? path.utf8[...])
    directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// What it says; `nil` if there is none.
  func read() throws -> AccountCredentials? {
    guard let file = try openFile() else { return nil }
    let status = try translating { () throws(Errno) in try file.status() }
    guard status.kind == .file else { throw CredentialFileProblem.notAFile(path: path) }
    guard status.mode & 0o077 == 0 else {
      throw CredentialFileProblem.readableByOthers(path: path, mode: status.mode)
    }
    let bytes = try translating { () throws(Errno) in
      try file.readStart(limit: Self.longest)
    }
    guard let credentials = CredentialForm.credentials(bytes) else {
      throw CredentialFileProblem.unreadable(path: path)
    }
    return credentials
  }

  /// Writes it whole, beside its place, and puts it there once it's on the disk.
  func write(_ credentials: AccountCredentials) throws {
    let directory = try openDirectory()
    let bytes = CredentialForm.bytes(of: credentials)
    let draft = Array(".".utf8) + name + Array(".\(Descriptor.currentProcess).partial".utf8)
    try translating { () throws(Errno) in
      do throws(Errno) { try directory.unlink(draft) } catch .absent {}
      do throws(Errno) {
        let file = try directory.open(
          name: draft, [.writing, .creating, .exclusively], mode: 0o600)
        try file.write(bytes)
        try file.flush()
        try directory.rename(draft, to: directory, name, .replacing)
        try directory.flush()
      } catch {
        try? directory.unlink(draft)
        throw error
      }
    }
  }

  func remove() throws {
    let directory = try openDirectory()
    try translating { () throws(Errno) in
      do throws(Errno) { try directory.unlink(name) } catch .absent { return }
      try directory.flush()
    }
  }

  private func openFile() throws -> Descriptor? {
    let directory = try openDirectory()
    return try translating { () throws(Errno) in
      do throws(Errno) {
        return try directory.open(name: name, [.reading, .withoutWaiting])
      } catch .absent {
        return nil
      }
    }
  }

  /// The directory, unless others may put a file of theirs in the place of ours.
  private func openDirectory() throws -> Descriptor {
    guard !name.isEmpty else { throw CredentialFileProblem.notAFile(path: path) }
    let (opened, mode) = try translating { () throws(Errno) in
      let opened = try Descriptor.open(
        userPath: directory, [.reading, .directory], in: SystemFileSystem())
      return (opened, try opened.status().mode)
    }
    let isSticky = mode & 0o1000 != 0
    guard isSticky || mode & 0o022 == 0 else {
      throw CredentialFileProblem.directoryOfOthers(path: path, mode: mode)
    }
    return opened
  }

  private func translating<Result>(_ body: () throws(Errno) -> Result) throws -> Result {
    do {
      return try body()
    } catch .link {
      throw CredentialFileProblem.notAFile(path: path)
    } catch {
      throw CredentialFileProblem.system(path: path, words: error.text)
    }
  }
}
