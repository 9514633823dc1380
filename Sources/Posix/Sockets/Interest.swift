/// The events that a descriptor is watched for.
package enum Interest: Sendable {
  case read, write
  /// Like `read`, for a descriptor that several pollers watch. The system wakes only some of the
  /// pollers if it can.
  case sharedRead
}
