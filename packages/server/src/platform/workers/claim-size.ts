/** Size from which claims are no longer limited. Larger than every claim. */
const UNLIMITED = 1_024;

/** Maximum number of rows of a loop's next claim. Without statement timeouts it has no effect. */
export interface ClaimSize {
  /** The wanted number of rows, or fewer after timeouts. */
  within(wanted: number): number;
  /** After a statement timeout, the next claim takes half of these rows, but at least one. */
  halve(count: number): void;
  /** After a success, the next claim may take twice as many rows. */
  grow(): void;
}

/** Sizes by services, since each timeline claims with its own, then by table. */
const sizes = new WeakMap<object, Map<string, ClaimSize>>();

/** The size of claims of one table with these services, always the same object. */
export function claimSizeOf(services: object, table: string): ClaimSize {
  const byTable = sizes.get(services) ?? new Map<string, ClaimSize>();
  sizes.set(services, byTable);
  const size = byTable.get(table) ?? createClaimSize();
  byTable.set(table, size);
  return size;
}

function createClaimSize(): ClaimSize {
  let size_max = Number.POSITIVE_INFINITY;
  return {
    within: (wanted) => Math.min(wanted, size_max),
    halve(count) {
      size_max = Math.max(1, Math.floor(count / 2));
    },
    grow() {
      size_max = size_max >= UNLIMITED ? Number.POSITIVE_INFINITY : size_max * 2;
    },
  };
}
