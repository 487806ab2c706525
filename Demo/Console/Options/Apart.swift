/// A large value that is stored apart from what holds it, which is copied as one reference then.
@propertyWrapper
public struct Apart<Value: Sendable>: Sendable {
  private final class Storage: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  /// Stores a value.
  public init(wrappedValue: Value) {
    storage = Storage(wrappedValue)
  }

  public var wrappedValue: Value {
    get { storage.value }
    set { storage = Storage(newValue) }
  }
}
