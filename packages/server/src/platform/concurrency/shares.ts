/** Counts what each merchant has in flight, so that one alone does not take all the room. */
export interface Shares {
  /** By merchant; those that have nothing in flight are not there. */
  readonly taken: ReadonlyMap<string, number>;
  take(merchant_id: string): void;
  /** Whether the merchant had its whole share, so that more of its work may be waiting. */
  give(merchant_id: string): boolean;
}

/** `each` is how much one merchant may have. */
export function createShares(each: number): Shares {
  const taken = new Map<string, number>();
  return {
    taken,
    take(merchant_id) {
      taken.set(merchant_id, (taken.get(merchant_id) ?? 0) + 1);
    },
    give(merchant_id) {
      const before = taken.get(merchant_id) ?? 0;
      if (before > 1) taken.set(merchant_id, before - 1);
      else taken.delete(merchant_id);
      return before >= each;
    },
  };
}
