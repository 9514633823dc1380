/// What is different in the next catalog.
struct CatalogChanges {
  /// Sites with other answers, under the names they had.
  var sites: [Site] = []
  /// Hosts came or went, so that the tables of names are made anew.
  var namesChanged = false
  /// Certificates or ticket keys are others.
  var materialChanged = false

  var isEmpty: Bool { sites.isEmpty && !namesChanged && !materialChanged }
}
