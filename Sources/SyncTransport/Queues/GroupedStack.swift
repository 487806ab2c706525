/// Last in, first out within a group, and the groups take turns.
struct GroupedStack<Element: Sendable>: Sendable {
  private var stacks: [Int: [Element]] = [:]
  /// The groups that have something, each once.
  private var turn = FIFO<Int>()

  /// Adds an element to a group.
  mutating func push(_ element: Element, in group: Int) {
    if stacks[group, default: []].isEmpty { turn.append(group) }
    stacks[group, default: []].append(element)
  }

  /// Takes the last element of the group whose turn it is; `nil` when there is none.
  mutating func pop() -> Element? {
    guard let group = turn.popFirst(), let element = stacks[group]?.popLast() else { return nil }
    if stacks[group]?.isEmpty ?? true { stacks[group] = nil } else { turn.append(group) }
    return element
  }
}
