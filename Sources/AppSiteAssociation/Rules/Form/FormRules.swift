let formRules: [any ValidationRule.Type] = [
  NearSizeLimit.self,
  DuplicateKey.self,
  GeneratedEmptyFile.self,
]
