/// The event for which a poller watches a descriptor.
package enum Interest: Sendable {
  case read, write
  /// Like `read`, for a descriptor that several pollers watch. If possible, the system wakes only
  /// some of the pollers.
  case sharedRead
}
