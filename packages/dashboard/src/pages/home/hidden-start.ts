const keyOf = (owner: string): string => `florin.start-hidden ${owner}`;

/** Whether an owner (account and merchant) has hidden the first steps in this browser. */
export const isHidden = (owner: string): boolean => localStorage.getItem(keyOf(owner)) !== null;

export const hide = (owner: string): void => localStorage.setItem(keyOf(owner), '1');
