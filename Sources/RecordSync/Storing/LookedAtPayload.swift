/// What a payload looks like, before anything is made of it.
struct LookedAtPayload {
  var shape: PayloadShape
  /// Its first element, to be named where none has a key.
  var first: PayloadExcerpt?
  /// Its only object, where that stands in no array.
  var alone: LoneObject?
}

extension LoadedPayload {
  /// Looks at all of it, a window at a time.
  func look(for present: PresentTables) throws -> LookedAtPayload {
    var seen = LookedAtPayload(
      shape: PayloadShape(keyNames: present.keyNames, present.schema.spelling))
    do {
      try forEachBody(mustBeWhole: false) { reader in
        var window = PayloadWindow()
        seen.shape.beginBody()
        while try reader.next(&window) {
          try Task.checkCancellation()
          if reader.isAlone, reader.count == 1 { seen.alone = LoneObject(window) }
          for (index, element) in window.elements.enumerated() {
            seen.shape.add(element, in: window.tape)
            if seen.first == nil { seen.first = window.excerpt(of: index) }
          }
        }
      }
    } catch is PayloadProblem where Task.isCancelled {
      // Whoever waited for its bytes stopped waiting.
      throw CancellationError()
    }
    return seen
  }
}
