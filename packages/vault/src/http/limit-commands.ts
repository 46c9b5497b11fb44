import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import {
  closeImport,
  findNumberLimits,
  isImportOpen,
  isWindowOpen,
  NEW_NUMBERS_DEFAULT,
  NEW_NUMBERS_MAX,
  openImport,
  storeNewNumbersLimit,
} from '../limits/new-numbers.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { Db } from '../store/db.ts';
import { type Input, toInteger, toScope } from './input.ts';

interface LimitCommandDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Pick<Audit, 'record'>;
}

const ACTOR = 'operator';
const DAY_MS = 24 * 60 * 60 * 1000;
/** An import that nobody closes must end by itself. */
const IMPORT_DAYS_MAX = 31;

/** Shows the limit of new cards of a merchant, or sets it: a number a day, or `default`. */
export async function limitNewNumbers(
  { db, clock, audit }: LimitCommandDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const scope = toScope(input);
  if (input.new_numbers !== undefined) {
    const new_numbers =
      input.new_numbers === 'default'
        ? null
        : toInteger(input.new_numbers, 'new_numbers', 1, NEW_NUMBERS_MAX);
    await audit.record({
      actor: ACTOR,
      verb: 'limit_new_numbers',
      ...scope,
      outcome: `${new_numbers ?? 'default'}`,
    });
    await storeNewNumbersLimit(db, scope, new_numbers);
  }
  const limits = await findNumberLimits(db, scope);
  report(`New cards a day: ${limits.new_numbers ?? `${NEW_NUMBERS_DEFAULT}, the default`}.`);
  const { import_used, import_numbers, import_ends_at } = limits;
  if (isImportOpen(limits, clock())) {
    report(
      `An import took ${import_used} of ${import_numbers} new cards, and ends at ${import_ends_at?.toISOString()}.`,
    );
  }
}

/** Lets a merchant enter a number of new cards until a time, without the limits of new cards. */
export async function openImportWindow(
  { db, clock, audit }: LimitCommandDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const scope = toScope(input);
  const numbers = toInteger(input.numbers, 'numbers', 1, NEW_NUMBERS_MAX);
  const ends_at = toEnd(input.until, clock());
  await audit.record({
    actor: ACTOR,
    verb: 'open_import',
    ...scope,
    outcome: `${numbers} until ${ends_at.toISOString()}`,
  });
  await openImport(db, scope, { numbers, ends_at });
  report(
    `The merchant may enter ${numbers} new cards until ${ends_at.toISOString()}. The limits then return.`,
  );
}

function toEnd(value: unknown, now: number): Date {
  const ends_at = new Date(typeof value === 'string' ? value : Number.NaN);
  const lasts_ms = ends_at.getTime() - now;
  if (lasts_ms > 0 && lasts_ms <= IMPORT_DAYS_MAX * DAY_MS) return ends_at;
  throw new VaultRefusal(
    'bad_request',
    `until must be a time such as 2026-12-01T06:00:00Z, at most ${IMPORT_DAYS_MAX} days ahead.`,
  );
}

/** Ends an import before its time. */
export async function closeImportWindow(
  { db, clock, audit }: LimitCommandDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const scope = toScope(input);
  const limits = await findNumberLimits(db, scope);
  if (!isWindowOpen(limits, clock())) throw noImport();
  const outcome = `after ${limits.import_used}`;
  await audit.record({ actor: ACTOR, verb: 'close_import', ...scope, outcome });
  const used = await closeImport(db, scope, clock());
  if (used === undefined) throw noImport();
  report(`The import is closed after ${used} new cards.`);
}

const noImport = (): VaultRefusal =>
  new VaultRefusal('bad_request', 'No import of this merchant and mode is open.');
