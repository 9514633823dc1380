extension DevPages {
  /// The styles that only the test page uses.
  static let ownTestStyle =
    #"""
    main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
    h1 { font-size: clamp(1.5rem, 1rem + 3vw, 2.25rem); line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
    h2 { margin: 2rem 0 0.5rem; }
    .url { margin-top: 0.75rem; color: var(--quiet); }
    .rule { margin-top: 0.75rem; overflow-wrap: anywhere; }
    .problem { margin-top: 1rem; padding: 0.5rem 0.75rem; border-left: 4px solid var(--bad); background: var(--bad-tint); color: var(--bad); }
    .note { margin-top: 1rem; padding: 0.5rem 0.75rem; border-left: 4px solid var(--edge); background: var(--raised); }
    ol { margin-top: 0.5rem; padding-left: 1.5rem; list-style: decimal; }
    ol li { padding: 0.25rem 0; overflow-wrap: anywhere; }
    ul li { border-bottom: 1px solid var(--line); }
    li a { display: block; padding: 0.75rem 0 0.125rem; }
    li small { display: block; padding-bottom: 0.75rem; color: var(--quiet); font-size: 0.875rem; }
    svg { display: block; width: min(15rem, 100%); height: auto; margin: 0 auto; border-radius: 6px; }
    figure { margin-top: 2rem; }
    figcaption { margin-top: 0.25rem; text-align: center; color: var(--quiet); font-size: 0.875rem; }

    """#
}
