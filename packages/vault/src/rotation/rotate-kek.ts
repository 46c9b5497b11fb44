import type { Actor, Audit } from '../audit/audit.ts';
import type { Scope } from '../kernel/scope.ts';
import {
  deleteReplacedKeks,
  findDueKeks,
  findNewestKeks,
  findUnfinished,
  type NewestKek,
} from './kek-schedule.ts';
import type { ReportProgress } from './progress.ts';
import { type RewrapDeps, rewrapCards } from './rewrap-cards.ts';

export interface KekRotationDeps extends RewrapDeps {
  readonly audit: Audit;
  /** Stops rewrapping after the current batch. */
  readonly signal: AbortSignal;
}

/** Merchants to rotate: all, or one merchant in one mode or both. */
export interface KekSelection {
  readonly merchant_id?: string;
  readonly mode?: string;
}

/** Minimum records between two progress messages. */
const PROGRESS_ROWS = 100_000;

/** Creates the next keys of the selected merchants and rewraps all their records. */
export async function rotateKeks(
  deps: KekRotationDeps,
  { merchant_id, mode }: KekSelection,
  actor: Actor,
  report: ReportProgress,
): Promise<void> {
  const keksToReplace = await findNewestKeks(deps.db, merchant_id, mode);
  if (keksToReplace.length === 0) report(NO_KEY);
  for (const kek of keksToReplace) await replaceKek(deps, kek, actor);
  for (const { merchant_id, mode } of keksToReplace)
    await rewrapAndReport(deps, { merchant_id, mode }, actor, report);
}

export const NO_KEY = 'No key matches.';

/** Rotates due keys, finishes interrupted rotations, and deletes replaced keys after their grace period. */
export async function rotateDueKeks(deps: KekRotationDeps): Promise<void> {
  const { db, keks, clock } = deps;
  for (const kek of await findDueKeks(db, clock())) await replaceKek(deps, kek, 'schedule');
  for (const { merchant_id, mode } of await findUnfinished(db))
    await rewrapAndReport(deps, { merchant_id, mode }, 'schedule', () => {});
  if ((await deleteReplacedKeks(db, clock())) > 0) keks.clear();
}

async function replaceKek(
  { keks, audit }: KekRotationDeps,
  { version, ...scope }: NewestKek,
  actor: Actor,
): Promise<void> {
  const isReplaced = await keks.advance(scope, version);
  if (!isReplaced) return;
  await audit.record({ actor, verb: 'rotate_kek', ...scope, outcome: 'started' });
}

async function rewrapAndReport(
  deps: KekRotationDeps,
  scope: Scope,
  actor: Actor,
  report: ReportProgress,
): Promise<void> {
  let rewrappedCount = 0;
  let unreadableCount = 0;
  for (let isDone = false; !isDone; ) {
    if (deps.signal.aborted) return;
    const step = await rewrapCards(deps, scope);
    isDone = step.isDone;
    const reportedSteps = Math.floor(rewrappedCount / PROGRESS_ROWS);
    rewrappedCount += step.rewrappedCount;
    unreadableCount += step.unreadableCount;
    if (Math.floor(rewrappedCount / PROGRESS_ROWS) > reportedSteps)
      report(`Rewrapped ${rewrappedCount} cards.`);
  }
  const outcome = `${rewrappedCount} rewrapped, ${unreadableCount} unreadable`;
  await deps.audit.record({ actor, verb: 'rewrap_cards', ...scope, outcome });
  report(`${scope.merchant_id} (${scope.mode}): ${outcome}.`);
}
