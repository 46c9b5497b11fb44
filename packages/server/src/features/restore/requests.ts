import type { Db } from '../../platform/database/db.ts';
import {
  deleteFact,
  factOf,
  replaceFact,
} from '../../platform/database/installation/installation-facts.ts';
import type { Counted } from './run.ts';
import { requireNoRun } from './run-lease.ts';
import { deleteRequest } from './sql/requests.ts';

/** Findings of a person about an attempt without an outcome. */
export const attemptOutcomes = ['charged', 'not-charged'] as const;

/** A finding about an approved authorisation whose changes nobody tells. Amounts are in minor units. */
export type RestoreFinding =
  | { readonly outcome: 'unchanged' | 'released' }
  | { readonly outcome: 'captured' | 'refunded'; readonly amount: number };

/** Finding of a person about an attempt. */
export type RestoreDecision =
  | {
      readonly id: string;
      readonly verb: 'decide';
      readonly attempt: string;
      readonly outcome: (typeof attemptOutcomes)[number];
      /** The processor's reference of a charge. */
      readonly reference?: string | undefined;
      readonly user: string;
    }
  | {
      readonly id: string;
      readonly verb: 'decide';
      readonly attempt: string;
      /** All changes of an authorisation, in their order. */
      readonly findings: readonly RestoreFinding[];
      readonly user: string;
    };

/** A command of an operator about a restore, which a running process executes. */
export type RestoreRequest =
  | { readonly id: string; readonly verb: 'learn'; readonly is_dry: boolean }
  /** A dry run of a decision. A process of an earlier release takes it for a dry run of `learn`. */
  | {
      readonly id: string;
      readonly verb: 'try';
      readonly decision: RestoreDecision;
      readonly is_dry: true;
    }
  | RestoreDecision;

/** Answer to a request: sentences for the operator. */
export interface RestoreAnswer {
  readonly id: string;
  readonly is_done: boolean;
  readonly lines: readonly string[];
}

/** Result of the last complete run. */
export interface Learned {
  readonly restored_to: string;
  readonly at: string;
  readonly counts: Readonly<Record<Counted, number>>;
  /** Sentences about what a person should know. */
  readonly notes: readonly string[];
  /** Accounts that do not list captures, refunds and releases of the lost time. Absent in runs of earlier releases. */
  readonly unreported?: readonly string[];
}

/** Stores a request in place of an earlier one. Throws an `Error` while a run learns. */
export async function askProcess(db: Db, request: RestoreRequest): Promise<void> {
  await requireNoRun(db);
  await deleteFact(db, 'restore_progress');
  await deleteFact(db, 'restore_result');
  await replaceFact(db, 'restore_request', JSON.stringify(request));
}

/** Takes the request, which only one process gets. */
export async function takeRequest(db: Db): Promise<RestoreRequest | undefined> {
  const text = await factOf(db, 'restore_request');
  if (text === undefined || !(await deleteFact(db, 'restore_request'))) return undefined;
  return JSON.parse(text) as RestoreRequest;
}

/** Takes a request back that no process has taken. Returns whether it was still there. */
export const withdrawRequest = (db: Db, { id }: RestoreRequest): Promise<boolean> =>
  deleteRequest(db, id);

/** Result of the last complete run after this restore; undefined if no run was complete. */
export async function learnedOf(db: Db, restored_to: string): Promise<Learned | undefined> {
  const text = await factOf(db, 'restore_learned');
  const learned = text === undefined ? undefined : (JSON.parse(text) as Learned);
  return learned?.restored_to === restored_to ? learned : undefined;
}

/** Sentences about counts, for a dry run or a complete one. */
export const linesOfCounts = (counts: Learned['counts']): string[] =>
  Object.entries(TITLES).map(([name, title]) => `${title}: ${counts[name as Counted]}`);

const TITLES: Readonly<Record<Counted, string>> = {
  asked: 'questions to processors',
  recovered: 'charges recorded for known payments and periods',
  created: 'payments created from a list of the processor',
  declined: 'declines recorded',
  follow_ups: 'refunds and captures recorded',
  ended: 'holds that were released',
  held: 'held until a processor or a person tells the outcome',
};
