import type { Db } from '../../platform/database/db.ts';
import { type AuditLogRow, findFault, GENESIS, type Head } from './chain.ts';
import {
  AUDITED_TABLES,
  type AuditedTable,
  findDifferences,
  findUnlogged,
  readRowsAfter,
} from './sql.ts';

/** Rows per read. */
const SLICE_ROWS = 5_000;
/** Faults that a report lists. Later ones add nothing. */
const FAULTS_MAX = 100;
/** Days for which entries of members are kept, and the log's rows with them. */
export const AUDIT_DAYS = 400;
/** A record may be pruned some hours before its row of the log. */
const COMPARED_DAYS = AUDIT_DAYS - 1;
/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

export interface Verdict {
  /** The newest row. */
  readonly head: Head;
  readonly rows: number;
  /** Sentences without a full stop. Empty: nothing was changed, removed or added. */
  readonly faults: readonly string[];
  /** Faults that an operator has accepted. */
  readonly accepted: readonly string[];
}

interface Slice {
  /** The last row of the slice. */
  readonly head: Head;
  readonly rows: readonly AuditLogRow[];
  readonly faults: readonly string[];
}

/** Verifies the rows after `head`, and the records that they are about. A faulty row is named, and passed over. */
export async function verifySlice(db: Db, head: Head, limit = SLICE_ROWS): Promise<Slice> {
  const rows = await readRowsAfter(db, head.seq, limit);
  const last = rows.at(-1);
  if (!last) return { head, rows, faults: [] };
  const chainFaults = rows.map((row, index) => findFault(rows[index - 1] ?? head, row));
  const range = { after: head.seq, through: last.seq, days: COMPARED_DAYS };
  const differences = await findDifferences(db, range);
  const recordFaults = differences.map(({ seq, isGone }) =>
    isGone ? `the record of entry ${seq} was removed` : `the record of entry ${seq} was changed`,
  );
  const faults = [...chainFaults.filter((fault) => fault !== undefined), ...recordFaults];
  return { head: last, rows, faults };
}

/**
 * Verifies the whole log: the chain, the records that it is about, and records that it does not have. `expected` is
 * an earlier head, which must still be in the log. `onRows` gets the number of rows so far.
 */
export async function verifyAuditLog(
  db: Db,
  onRows: (rows: number) => void,
  expected?: Head,
): Promise<Verdict> {
  const [first] = await readRowsAfter(db, 0, 1);
  const start = first ? { seq: first.seq - 1, hash: first.prev_hash } : GENESIS;
  const faults: string[] = [];
  const acceptedTexts = new Set<string>();
  let head: Head = start;
  let begins = GENESIS;
  let expectedHash: Buffer | undefined;
  let count = 0;
  for (;;) {
    const slice = await verifySlice(db, head);
    faults.push(...slice.faults);
    head = slice.head;
    count += slice.rows.length;
    begins = slice.rows.reduce(beginningAfter, begins);
    for (const text of slice.rows.flatMap(acceptedBy)) acceptedTexts.add(text);
    expectedHash ??= slice.rows.find(({ seq }) => seq === expected?.seq)?.hash;
    if (slice.rows.length < SLICE_ROWS || faults.length > FAULTS_MAX) break;
    onRows(count);
  }
  faults.push(...beginningFaults(start, begins), ...headFaults(expected, expectedHash, head));
  if (first) faults.push(...(await findUnloggedRecords(db, first)));
  const isAccepted = (fault: string): boolean => acceptedTexts.has(fault);
  const open = faults.filter((fault) => !isAccepted(fault)).slice(0, FAULTS_MAX);
  return { head, rows: count, faults: open, accepted: faults.filter(isAccepted) };
}

interface CommandEntry {
  readonly event: string;
  readonly command?: string;
  readonly subject?: string;
}

/** Fault that a row accepts. */
function acceptedBy({ entry }: AuditLogRow): string[] {
  const { event, command, subject } = JSON.parse(entry) as CommandEntry;
  return event === 'command' && command === 'audit accept' && subject ? [subject] : [];
}

interface PruneEntry {
  readonly event: string;
  readonly through: number;
  readonly hash: string;
}

/** Where the log begins after a row. Rows about pruning move it. */
function beginningAfter(begins: Head, { entry }: AuditLogRow): Head {
  const { event, through, hash } = JSON.parse(entry) as PruneEntry;
  return event === 'prune' ? { seq: through, hash: Buffer.from(hash, 'hex') } : begins;
}

const beginningFaults = (start: Head, begins: Head): string[] =>
  start.seq === begins.seq && start.hash.equals(begins.hash)
    ? []
    : [`entries before ${start.seq + 1} were removed, and no pruning says so`];

function headFaults(expected: Head | undefined, hash: Buffer | undefined, head: Head): string[] {
  if (!expected || hash?.equals(expected.hash)) return [];
  if (expected.seq > head.seq)
    return [`the log ends at entry ${head.seq}, but had entry ${expected.seq} earlier`];
  return [`entry ${expected.seq} differs from the earlier head`];
}

/** Records that were stored past the log since its first row. A pruned log may lack the rows of its first day. */
async function findUnloggedRecords(db: Db, first: AuditLogRow): Promise<string[]> {
  const { at } = JSON.parse(first.entry) as { readonly at: string };
  const after = firstIdAt(Date.parse(at) + (first.seq === 1 ? 0 : DAY_MS));
  const found = await Promise.all(AUDITED_TABLES.map((table) => unloggedOf(db, table, after)));
  return found.flat();
}

/** The lowest UUIDv7 of a millisecond. */
const firstIdAt = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

async function unloggedOf(db: Db, table: AuditedTable, start: string): Promise<string[]> {
  const faults: string[] = [];
  for (let after: string | undefined = start; after && faults.length < FAULTS_MAX; ) {
    const { ids, last } = await findUnlogged(db, { table, after, limit: SLICE_ROWS });
    faults.push(...ids.map((id) => `record ${id} of ${table} is not in the log`));
    after = last;
  }
  return faults;
}
