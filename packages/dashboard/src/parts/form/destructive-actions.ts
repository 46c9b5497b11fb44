const DESTRUCTIVE: ReadonlySet<string> = new Set([
  'cancel',
  'void',
  'expire',
  'accept',
  'archive',
  'block',
  'remove',
  'discard',
  'revoke',
  'delete',
]);

/** Whether an action removes or ends something, usually irreversibly. */
export const isDestructive = (action: string): boolean => DESTRUCTIVE.has(action);

/** Orders actions so that the destructive ones come last. */
export const destructiveLast = <A>(
  actions: readonly A[],
  nameOf: (action: A) => string,
): readonly A[] =>
  actions.toSorted((a, b) => Number(isDestructive(nameOf(a))) - Number(isDestructive(nameOf(b))));
