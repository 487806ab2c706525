/// First in, first out, each in constant time on average.
struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if head > 32, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    } else if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    }
    return first
  }
}

extension FIFO: Sendable where Element: Sendable {}
