internal import Diagnostics

/// Every rule, in the order of the codes.
package enum RuleTable {
  package struct Group: Sendable {
    package let title: String
    package let rules: [any ValidationRule]
  }

  package static let groups = [
    Group(
      title: "form of the file",
      rules: [
        NearSizeLimit(),
        DuplicateKey(),
        GeneratedEmptyFile(),
      ]),
    Group(
      title: "structure",
      rules: [
        NoService(),
        MisspeltKeys.atTop,
        ValueTypeRule.service,
        DetailsMissing(),
        DetailsEmpty(),
        ValueTypeRule.details,
        DetailsDictionary(),
        ValueTypeRule.entry,
        MisspeltKeys.inAppLinks,
        MisspeltKeys.inEntry,
        MisspeltKeys.inComponent,
        UnknownKey(),
        DomainInAppLinks(),
        MisplacedKey(),
        AppsNotEmpty(),
        UnusedAppID(),
        BothAppIDAndAppIDs(),
        ValueTypeRule.identifiers,
      ]),
    Group(
      title: "app identifiers",
      rules: [
        EntryWithoutApp(),
        IdentifierRule.placeholder,
        IdentifierRule.samplePrefix,
        IdentifierRule.sampleBundle,
        IdentifierRule.spaces,
        IdentifierRule.incomplete,
        IdentifierRule.withoutPrefix,
        IdentifierRule.appStoreNumber,
        IdentifierRule.lowerCasePrefix,
        IdentifierRule.wildcard,
        IdentifierRule.unusualPrefix,
        IdentifierRule.characters,
        RepeatedIdentifier(),
        AppInTwoEntries(),
        IdentifiersDifferInCase(),
        IdentifierRule.domain,
        PrefixesDiffer(),
        ClipInAppLinks(),
      ]),
    Group(
      title: "rules",
      rules: [
        EntryWithoutRules(),
        EmptyRuleList(),
        BothComponentsAndPaths(),
        ValueTypeRule.ruleList,
        ValueTypeRule.component,
        ValueTypeRule.path,
        ComponentWithoutPart(),
        ValueTypeRule.part,
        ValueTypeRule.queryValue,
        ValueTypeRule.flag,
        ValueTypeRule.defaults,
        DefaultsCarryPart(),
        OnlyExclusions(),
        NotWithoutSpace(),
        ExclamationMark(),
        NotWithOtherSpace(),
        NotInLowerCase(),
        NotInComponent(),
        ValueTypeRule.comment,
        EmptyPath(),
        OnlyStartPage(),
        CatchAllTakesMore(),
      ]),
    Group(
      title: "reach of rules",
      rules: [
        UnreachableRule(),
        RuleAfterCatchAll(),
        LateExclusion(),
        RuleThatNeverMatches(),
        AppNeverOpens(),
        RedundantRule(),
        RulesNotCompared(),
        AppsShareLinks(),
      ]),
    Group(
      title: "patterns",
      rules: [
        FragmentInPath(),
        QueryInPath(),
        URLInPath(),
        HostInPath(),
        CharacterNotInURLs(),
        EscapeInDecodedPattern(),
        LowerCaseEscape(),
        StrayPercentSign(),
        RegularExpression(),
        Anchor(),
        RouterParameter(),
        Braces(),
        DoubleAsterisk(),
        Backslash(),
        CharacterClass(),
        Alternatives(),
        HashInFragment(),
        QuestionMarkInQuery(),
        QueryItemName(),
        QueryOrder(),
        OptionalSlash(),
        AbsentItemBlocks(),
        AbsentItemOpens(),
        UndocumentedEnd(),
        QueryNameInPath(),
      ]),
    Group(
      title: "variables",
      rules: [
        UndefinedVariable(),
        UnclosedVariable(),
        VariableInVariable(),
        UnusedVariable(),
        ShadowingVariable(),
        VariableName(),
        ValueTypeRule.variable,
        VariableWithoutValues(),
        ValueTypeRule.variableValue,
        RepeatedValue(),
        OneDigit(),
        RegionCode(),
        UKRegion(),
        ValueTypeRule.variables,
        VariableSyntax(),
        PatternsTooLargeToMatch(),
      ]),
    Group(
      title: "other services",
      rules: [
        AppsMissing(),
        ValueTypeRule.appList,
        AppsEmpty(),
        WildcardInAppClips(),
        DetailsInAppList(),
        AppInAppClips(),
        MisspeltKeys.inService,
        ValueTypeRule.app,
      ]),
    Group(
      title: "text that the public can read",
      rules: [
        RemarkRule.secret,
        RemarkRule.internalHost,
        RemarkRule.task,
        RemarkRule.address,
        LongComments(),
      ]),
    Group(
      title: "the file as a whole",
      rules: [
        NothingPermitted()
      ]),
  ]

  static let all = groups.flatMap(\.rules)
  static let withoutNotes = all.filter { $0.severity > .note }
}
