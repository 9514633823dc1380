extension PageStyle {
  /// The icon of the inspector and the status page.
  package static let favicon =
    #"""
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1450b4"/><path d="M13 19l6-6M11 15l-2.5 2.5a4.2 4.2 0 0 0 6 6L17 21M21 17l2.5-2.5a4.2 4.2 0 0 0-6-6L15 11" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>

    """#
}
