/**
 * Meaning of a migration for programs of the release before. `expand`: these run on the new schema, and write rows that
 * the new release accepts. `contract`: these do not.
 */
export type Phase = 'expand' | 'contract';

/** The first line of a migration, such as `-- florin: expand, online`. */
export interface Header {
  readonly phase: Phase;
  /** Whether the migration runs statement by statement outside of transactions, while payments go on. */
  readonly is_online: boolean;
}

const HEADER = /^-- florin: (expand|contract)(, online)?\r?\n/;

/** Reads the first line of a migration; undefined without a header, as in migrations from before headers. */
export function headerOf(sql: string): Header | undefined {
  const [, phase, online] = HEADER.exec(sql) ?? [];
  return phase ? { phase: phase as Phase, is_online: online !== undefined } : undefined;
}
