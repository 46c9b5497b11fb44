import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { badRequest, type VaultRefusal } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import {
  closeImport,
  findNumberLimits,
  isImportOpen,
  isWindowOpen,
  NEW_NUMBERS_DEFAULT,
  NEW_NUMBERS_MAX,
  type NumberLimits,
  openImport,
  storeNewNumbersLimit,
} from '../limits/new-numbers.ts';
import type { ReportProgress } from '../rotation/progress.ts';
import type { Db } from '../store/db.ts';
import { ACTOR } from './command.ts';
import { type Input, toInteger, toScope } from './input.ts';

interface LimitCommandDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Pick<Audit, 'record'>;
}

type PreviewDeps = Pick<LimitCommandDeps, 'db' | 'clock'>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** An import that nobody closes must end by itself. */
const IMPORT_DAYS_MAX = 31;

/** Parses the limit to set; undefined to show it only, null for the default. */
function toLimit({ new_numbers }: Input): number | null | undefined {
  if (new_numbers === undefined) return undefined;
  return new_numbers === 'default'
    ? null
    : toInteger(new_numbers, 'new_numbers', 1, NEW_NUMBERS_MAX);
}

/** Shows the limit of new cards of a merchant, or sets it: a number a day, or `default`. */
export async function limitNewNumbers(
  { db, clock, audit }: LimitCommandDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const scope = toScope(input);
  const new_numbers = toLimit(input);
  if (new_numbers !== undefined) {
    const outcome = `${new_numbers ?? 'default'}`;
    await audit.record({ actor: ACTOR, verb: 'limit_new_numbers', ...scope, outcome });
    await storeNewNumbersLimit(db, scope, new_numbers);
  }
  const limits = await findNumberLimits(db, scope);
  report(`New cards a day: ${textOf(limits.new_numbers)}.`);
  if (isImportOpen(limits, clock())) report(`An import ${describeImport(limits)}.`);
}

/** Reports the limit that `limitNewNumbers` would set. */
export async function previewLimit(db: Db, input: Input, report: ReportProgress): Promise<void> {
  const scope = toScope(input);
  const new_numbers = toLimit(input);
  if (new_numbers === undefined)
    throw badRequest('new_numbers is missing: without it, the command changes nothing.');
  const limits = await findNumberLimits(db, scope);
  report(
    `Would set the new cards a day of ${nameOf(scope)} to ${textOf(new_numbers)}. Until now: ${textOf(limits.new_numbers)}.`,
  );
}

const textOf = (new_numbers: number | null): string =>
  `${new_numbers ?? `${NEW_NUMBERS_DEFAULT}, the default`}`;

const nameOf = ({ merchant_id, mode }: Scope): string => `${merchant_id} (${mode})`;

const describeImport = ({ import_used, import_numbers, import_ends_at }: NumberLimits): string =>
  `took ${import_used} of ${import_numbers} new cards, and ends at ${import_ends_at?.toISOString()}`;

/** Lets a merchant enter a number of new cards until a time, without the limits of new cards. */
export async function openImportWindow(
  { db, clock, audit }: LimitCommandDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const { scope, numbers, ends_at } = parseImport(input, clock());
  const outcome = `${numbers} until ${ends_at.toISOString()}`;
  await audit.record({ actor: ACTOR, verb: 'open_import', ...scope, outcome });
  await openImport(db, scope, { numbers, ends_at });
  report(
    `The merchant may enter ${numbers} new cards until ${ends_at.toISOString()}. The limits then return.`,
  );
}

/** Reports the import that `openImportWindow` would open, and the one that it would replace. */
export async function previewImportOpen(
  { db, clock }: PreviewDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const { scope, numbers, ends_at } = parseImport(input, clock());
  const limits = await findNumberLimits(db, scope);
  report(
    `Would let ${nameOf(scope)} enter ${numbers} new cards until ${ends_at.toISOString()}. The limits would then return.`,
  );
  if (isWindowOpen(limits, clock()))
    report(`Would replace the open import, which ${describeImport(limits)}.`);
}

function parseImport(input: Input, now: number) {
  return {
    scope: toScope(input),
    numbers: toInteger(input.numbers, 'numbers', 1, NEW_NUMBERS_MAX),
    ends_at: toEnd(input.until, now),
  };
}

function toEnd(value: unknown, now: number): Date {
  const ends_at = new Date(typeof value === 'string' ? value : Number.NaN);
  const lasts_ms = ends_at.getTime() - now;
  if (lasts_ms > 0 && lasts_ms <= IMPORT_DAYS_MAX * DAY_MS) return ends_at;
  throw badRequest(
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
  const { import_used } = await requireImport(db, scope, clock());
  const outcome = `after ${import_used}`;
  await audit.record({ actor: ACTOR, verb: 'close_import', ...scope, outcome });
  const used = await closeImport(db, scope, clock());
  if (used === undefined) throw noImport();
  report(`The import is closed after ${used} new cards.`);
}

/** Reports the import that `closeImportWindow` would close. */
export async function previewImportClose(
  { db, clock }: PreviewDeps,
  input: Input,
  report: ReportProgress,
): Promise<void> {
  const scope = toScope(input);
  const limits = await requireImport(db, scope, clock());
  report(`Would close the import of ${nameOf(scope)}, which ${describeImport(limits)}.`);
}

async function requireImport(db: Db, scope: Scope, now: number): Promise<NumberLimits> {
  const limits = await findNumberLimits(db, scope);
  if (!isWindowOpen(limits, now)) throw noImport();
  return limits;
}

const noImport = (): VaultRefusal => badRequest('No import of this merchant and mode is open.');
