/// Rules that compare the languages of patterns.
let reachabilityRules: [any ValidationRule.Type] = [
  UnreachableRule.self,
  RuleAfterCatchAll.self,
  LateExclusion.self,
  RuleThatNeverMatches.self,
  AppNeverOpens.self,
  RedundantRule.self,
  RulesNotCompared.self,
  AppsShareLinks.self,
]
