let serviceRules: [any ValidationRule.Type] = [
  AppsMissing.self,
  AppsWrongType.self,
  AppsEmpty.self,
  WildcardInAppClips.self,
  DetailsInAppList.self,
  AppInAppClips.self,
  MisspeltKeyInService.self,
  AppNotString.self,
]
