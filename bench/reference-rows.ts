import { findPgbench, measurePgbench } from './pgbench.ts';
import { measureReference } from './reference.ts';
import type { Row } from './row.ts';

export const REFERENCE = 'reference: a transaction per payment, 64 connections';
export const PGBENCH = 'reference: the same by pgbench';

/** The usual design, by a Node client and by PostgreSQL's own program in C. */
export const referenceRows: readonly Row[] = [
  {
    name: REFERENCE,
    unit: 'tx/s',
    target: '',
    measure: ({ databaseUrl }, seconds) => measureReference(databaseUrl, seconds),
  },
  {
    name: PGBENCH,
    unit: 'tx/s',
    baseline: REFERENCE,
    target: '',
    isInstalled: () => findPgbench() !== undefined,
    measure: ({ databaseUrl }, seconds) => measurePgbench(databaseUrl, seconds),
  },
];
