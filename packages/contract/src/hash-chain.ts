/** A row of an append-only log. The hash covers the contents and the hash of the row before. */
export interface ChainedRow<Bytes extends Uint8Array> {
  /** Number of the row. Counts without gaps. */
  readonly seq: number;
  readonly prev_hash: Bytes;
  readonly hash: Bytes;
}

/** A row that the next row continues. */
export type ChainHead<Bytes extends Uint8Array> = Pick<ChainedRow<Bytes>, 'seq' | 'hash'>;

/** Reason why a row is not a valid successor of `head`; undefined if it is valid. */
export function findChainFault<Row extends ChainedRow<Uint8Array>>(
  head: ChainHead<Uint8Array>,
  row: Row,
  hashOf: (row: Row) => Uint8Array,
): string | undefined {
  const { seq, prev_hash, hash } = row;
  if (seq !== head.seq + 1) return `entries ${head.seq + 1} to ${seq - 1} are missing`;
  if (!areEqual(prev_hash, head.hash)) return `entry ${seq} does not continue the one before`;
  if (!areEqual(hash, hashOf(row))) return `entry ${seq} was changed`;
  return undefined;
}

const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
