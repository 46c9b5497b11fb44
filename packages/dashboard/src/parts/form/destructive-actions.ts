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
