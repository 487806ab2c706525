package import SyncText

/// Of which of several things a line speaks that is written. Set for a task, it holds for all that
/// the task and its children write.
package struct Subject: Sendable {
  /// The program's name, with which its errors begin.
  package var program: String
  package var name: String
  /// What it is, as the member of JSON that names it.
  package var member: JSONText

  /// A thing of that name.
  package init(program: String, _ member: JSONText, _ name: String) {
    self.program = program
    self.member = member
    self.name = name
  }

  /// What is spoken of here; `nil` where there is only one thing.
  @TaskLocal package static var current: Subject?

  /// A line that names what it speaks of: `pictures: done`, `mirror: pictures: it failed`. Of JSON
  /// nothing is changed: an object has a member for it.
  package func named(_ line: String) -> String {
    let start = "\(program): "
    return line.hasPrefix(start)
      ? "\(start)\(name): \(line.dropFirst(start.count))" : "\(name): \(line)"
  }
}
