package import Diagnostics
internal import JSON
internal import Rules

/// Every rule, in the order of the codes.
let associationRules: [AssociationRule] =
  [
    formRules, detailsRules, misspeltKeyRules, structureTypeRules, strangeKeyRules, appKeyRules,
    namedAppRules, identifierRules, similarIdentifierRules, ruleListRules, ruleTypeRules,
    testedPartRules, exclusionRules, coverageRules, neverMatchingRules, appsAndLinksRules,
    otherPartInPathRules, percentEncodingRules, otherSyntaxRules, pathEndRules, queryRules,
    variableNameRules, variableTypeRules, variableValueRules, predefinedVariableRules,
    appListRules, appClipRules, serviceTypeRules, callbackRules, remarkRules, nothingPermittedRules,
  ].flatMap(\.self).sorted { $0.kind.code < $1.kind.code }

let rulesWithoutNotes = associationRules.filter { $0.kind.severity > .note }

/// The kinds of diagnostics about association files, in the order of their codes.
package let associationKinds: [Kind] =
  (associationRules.map(\.kind) + formKinds + pathKinds
  + Kind.ofSyntaxErrors)
  .sorted { $0.code < $1.code }
