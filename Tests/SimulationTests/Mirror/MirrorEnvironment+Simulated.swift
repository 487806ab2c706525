import SyncFolder
import TransportTesting

@testable import CatalogMirror

extension MirrorEnvironment {
  /// The world of a story: its time and chance, its network, its disk.
  /// - Parameter date: What the calendar says when the world begins, in seconds since 1970.
  init(_ world: World, _ web: ModelWeb, _ disk: ModelDisk, _ vfs: ModelVFS, from date: Double) {
    self.init()
    now = { date + world.executor.now / .seconds(1) }
    clock = world.clock
    random = { Double(world.number(0...999)) / 1_000 }
    makeTransport = { _ in web }
    makeDiskQueue = { SimulatedDiskQueue(world) }
    makeIndexExecutor = { SeededSerialExecutor(world.executor) }
    executor = world.executor
    indexPatience = .zero
    partSizes = PartSizes(worthwhile: 1_000_000, least: 200_000, most: 600_000)
    folding = NameFolding.none
    fileSystem = disk.fileSystem
    indexVFS = vfs.name
  }
}
