import OneWaySynchronizer

/// An item of a simulated collection.
struct SimulatedItem: SyncItem, Equatable {
  let id: Int
  let version: Int
  var downloadOrder: Int { id % 3 }
}

/// What a simulated processor throws.
struct SimulatedFault: Error {}
