import { createPrivateKey, type KeyObject } from 'node:crypto';
import { faultOf } from '../kernel/logger.ts';
import type { RootKeys, WrappedKey } from './root-keys.ts';

/** Somebody changed the row of a key pair. */
class ForgedKey extends Error {
  override name = 'ForgedKey';
}

export type PairRootKeys = Pick<RootKeys, 'unwrap' | 'isUsable'>;

/** A stored key pair, and how its halves are compared. */
export interface StoredPair {
  readonly row: WrappedKey;
  /** Context that binds the wrapped private key. */
  readonly context: string;
  /** Whether the public columns of the row are those of the private key. */
  readonly isPublicHalfOf: (privateKey: KeyObject) => boolean;
}

/**
 * Unwraps a private key. Throws `ForgedKey` if somebody changed the row: its public columns are of another key, or a
 * root key that works does not open it. Throws the provider's error if the root key is missing, or does not answer.
 */
export async function openPair(
  rootKeys: PairRootKeys,
  { row, context, isPublicHalfOf }: StoredPair,
): Promise<KeyObject> {
  const unwrap = () => rootKeys.unwrap(row, context);
  const der = await unwrap().catch(async (error: unknown) => {
    if (!(await rootKeys.isUsable(row.root_version))) throw error;
    // The provider may have been away for the first attempt only.
    return unwrap().catch((cause: unknown) => {
      throw new ForgedKey('The root key does not open a private key.', { cause });
    });
  });
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  if (!isPublicHalfOf(privateKey))
    throw new ForgedKey('A public key is not that of its private half.');
  return privateKey;
}

/** Why a key pair is not used. */
export interface Rejection {
  /** False if this vault cannot read the pair at the moment. */
  readonly is_forged: boolean;
  readonly fault: string;
}

interface PairChecksOptions<Row> {
  readonly open: (row: Row) => Promise<unknown>;
  /** Name of a row, unique among all rows of a check. */
  readonly nameOf: (row: Row) => string;
  readonly report: (row: Row, rejection: Rejection) => void;
}

/** Rows of a check, in their order. */
export interface SortedPairs<Row> {
  /** Rows whose halves belong together. */
  readonly genuine: Row[];
  /** The same, and rows that this vault cannot read now. */
  readonly unforged: Row[];
}

/** Compares the halves of key pairs. Each check gets all rows, and reports a rejected one once while it is there. */
export interface PairChecks<Row> {
  sort(rows: readonly Row[]): Promise<SortedPairs<Row>>;
  /** Whether the last check found a forged pair. */
  hasForged(): boolean;
}

export function createPairChecks<Row>({
  open,
  nameOf,
  report,
}: PairChecksOptions<Row>): PairChecks<Row> {
  let known = new Map<string, Rejection>();
  return {
    async sort(rows) {
      const results = await Promise.allSettled(rows.map(open));
      const rejections = new Map<string, Rejection>();
      for (const [at, row] of rows.entries()) {
        const result = results[at];
        if (result?.status !== 'rejected') continue;
        const rejection = toRejection(result.reason);
        rejections.set(nameOf(row), rejection);
        if (known.get(nameOf(row))?.is_forged !== rejection.is_forged) report(row, rejection);
      }
      known = rejections;
      return {
        genuine: rows.filter((row) => !rejections.has(nameOf(row))),
        unforged: rows.filter((row) => !rejections.get(nameOf(row))?.is_forged),
      };
    },
    hasForged: () => [...known.values()].some(({ is_forged }) => is_forged),
  };
}

const toRejection = (error: unknown): Rejection => ({
  is_forged: error instanceof ForgedKey,
  fault: faultOf(error),
});
