package import DocumentSync
import SyncFiles

/// Keeps credentials in a file that only its owner may read.
///
/// The file is written whole or not at all, with the rights 0600. One that others may read is
/// refused, and so is a directory in which others may put a file in its place.
package struct FileCredentials: CredentialStore {
  package let path: String
  private let queue = DispatchDiskQueue()

  /// Keeps them under a path, whose directory must exist.
  package init(path: String) {
    self.path = path
  }

  /// What the file says; `nil` if there is none.
  @concurrent package func load() async throws -> AccountCredentials? {
    try await queue.run { [path] in try CredentialFile(path: path).read() }
  }

  /// Writes the file.
  @concurrent package func keep(_ credentials: AccountCredentials) async throws {
    try await queue.run { [path] in try CredentialFile(path: path).write(credentials) }
  }

  /// Removes the file.
  @concurrent package func remove() async throws {
    try await queue.run { [path] in try CredentialFile(path: path).remove() }
  }
}

/// Reads and writes a file of credentials. Its calls block.
struct CredentialFile {
  let path: String
  private let directory: String
  private let name: [UInt8]

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
    guard status.kind == .file else { throw ServiceError.notAFile(path: path) }
    guard status.mode & 0o077 == 0 else {
      throw ServiceError.readableByOthers(path: path, mode: status.mode)
    }
    let bytes = try translating { () throws(Errno) in
      try file.readStart(limit: Self.longest)
    }
    guard let credentials = CredentialForm.credentials(bytes) else {
      throw ServiceError.unreadable(path: path)
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
    guard !name.isEmpty else { throw ServiceError.notAFile(path: path) }
    let (opened, mode) = try translating { () throws(Errno) in
      let opened = try Descriptor.open(
        userPath: directory, [.reading, .directory], in: SystemFileSystem())
      return (opened, try opened.status().mode)
    }
    let isSticky = mode & 0o1000 != 0
    guard isSticky || mode & 0o022 == 0 else {
      throw ServiceError.directoryOfOthers(path: path, mode: mode)
    }
    return opened
  }

  private func translating<Result>(_ body: () throws(Errno) -> Result) throws -> Result {
    do {
      return try body()
    } catch .link {
      throw ServiceError.notAFile(path: path)
    } catch {
      throw ServiceError.system(path: path, words: error.text)
    }
  }
}

/// How credentials are written where they are kept: as an object of JSON.
enum CredentialForm {
  static func bytes(of credentials: AccountCredentials) -> [UInt8] {
    let value: DocumentValue =
      switch credentials {
      case .password(let name, let password):
        ["name": DocumentValue(name), "password": DocumentValue(password)]
      case .token(let name, let token, let refresh?):
        [
          "name": DocumentValue(name), "token": DocumentValue(token),
          "refresh": DocumentValue(refresh),
        ]
      case .token(let name, let token, nil):
        ["name": DocumentValue(name), "token": DocumentValue(token)]
      }
    return Array((value.text + "\n").utf8)
  }

  static func credentials(_ bytes: [UInt8]) -> AccountCredentials? {
    guard let value = try? DocumentValue(bytes: bytes), let name = value["name"]?.string else {
      return nil
    }
    if let token = value["token"]?.string {
      return .token(name: name, token: token, refresh: value["refresh"]?.string)
    }
    return value["password"]?.string.map { .password(name: name, password: $0) }
  }
}
