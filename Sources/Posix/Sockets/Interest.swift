/// The events that a poller watches a descriptor for.
package enum Interest: Sendable {
  case read, write
  /// Like `read`, for a descriptor that several pollers watch. If possible, the system wakes only
  /// some of the pollers.
  case sharedRead
}
