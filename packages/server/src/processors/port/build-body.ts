/** Members of a message's body that have a value. Null stays: the vault fills it. */
export const withoutUndefined = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
