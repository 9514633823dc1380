internal import Catalog

/// The differences between a catalog and the next one.
struct CatalogChanges {
  /// Sites whose answers changed but whose names did not.
  var sites: [Site] = []
  /// Whether hosts were added or removed, so that the tables of names must be rebuilt.
  var namesChanged = false
  /// Whether certificates or ticket keys have changed.
  var materialChanged = false

  var isEmpty: Bool { sites.isEmpty && !namesChanged && !materialChanged }
}
