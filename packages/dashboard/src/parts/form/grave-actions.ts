const GRAVE: ReadonlySet<string> = new Set([
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

/** Whether an action removes something, usually for good. */
export const isGrave = (action: string): boolean => GRAVE.has(action);
