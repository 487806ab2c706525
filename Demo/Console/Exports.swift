// What a program takes of the floor as it is: the small Foundation, with which it begins sooner
// than with the whole one, and the lock.
@_exported public import SyncEssentials
@_exported public import SyncLock
