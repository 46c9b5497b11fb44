type RequirementLevel = 'Required' | 'OneOrMore' | 'Optional';

/** Documents of each defence reason, with the level at which they are needed. */
const documentsByReason: Readonly<Record<string, Readonly<Record<string, RequirementLevel>>>> = {
  SupplyDefenseMaterial: { DefenseMaterial: 'Required' },
  GoodsOrServicesProvided: {
    GoodsNotReceived: 'OneOrMore',
    TIDorInvoice: 'OneOrMore',
    DefenseMaterial: 'Optional',
  },
};

/** Whether a document of this type belongs to a defence reason. */
export const isDocumentType = (type: unknown): type is string =>
  Object.values(documentsByReason).some((documents) => Object.hasOwn(documents, String(type)));

/** Whether the documents that a defence reason needs are there. False for unknown reasons. */
export function isSatisfied(reason: string, types: readonly string[]): boolean {
  const documents = documentsByReason[reason];
  if (!documents) return false;
  const entries = Object.entries(documents);
  const choices = entries.filter(([, level]) => level === 'OneOrMore');
  return (
    entries.every(([type, level]) => level !== 'Required' || types.includes(type)) &&
    (choices.length === 0 || choices.some(([type]) => types.includes(type)))
  );
}

/** The defence reasons of a dispute, as the interface lists them. */
export const renderDefenceReasons = (types: readonly string[]): object[] =>
  Object.entries(documentsByReason).map(([defenseReasonCode, documents]) => ({
    defenseReasonCode,
    satisfied: isSatisfied(defenseReasonCode, types),
    defenseDocumentTypes: Object.entries(documents).map(([type, requirementLevel]) => ({
      available: types.includes(type),
      defenseDocumentTypeCode: type,
      requirementLevel,
    })),
  }));
