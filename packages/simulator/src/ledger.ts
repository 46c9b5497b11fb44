import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  AuthorisationAnswer,
  AuthorisationRequest,
  DisputeReason,
  FollowUpAnswer,
  FollowUpRequest,
  HistoryEntry,
  NetworkCounts,
  NetworkDispute,
  SettlementFilePart,
} from '@florin/contract/protocol/network.ts';
import { disputedPartsOf, scheduledEffectOf } from '@florin/contract/simulate.ts';
import {
  AUTHORISATION_SCHEMA,
  type AuthorisationLedger,
  createAuthorisationLedger,
} from './authorisation-ledger.ts';
import type { AuthorisationHistory } from './decide.ts';
import type { FollowUpKind } from './decide-follow-up.ts';
import {
  createDisputeLedger,
  DISPUTE_SCHEMA,
  type DisputeLedger,
  upgradeDisputes,
} from './dispute-ledger.ts';
import { isDisputed } from './faults.ts';
import { createFollowUpLedger, FOLLOW_UP_SCHEMA, type FollowUpLedger } from './follow-up-ledger.ts';
import { createGroupCommit } from './group-commit.ts';
import {
  createHistoryLedger,
  entryOfApproval,
  entryOfFollowUp,
  entryOfReversal,
  HISTORY_SCHEMA,
  type HistoryLedger,
} from './history-ledger.ts';
import {
  createSettlementLedger,
  SETTLEMENT_SCHEMA,
  type SettlementLedger,
} from './settlement-ledger.ts';
import {
  createSimulationLedger,
  SIMULATION_SCHEMA,
  type SimulationLedger,
} from './simulation-ledger.ts';

const FILE_NAME = 'books.sqlite';

/** Ledgers that predate this table get their identity when they are opened. */
const IDENTITY_SCHEMA = `
  create table if not exists identity (
    only_row integer primary key check (only_row = 1),
    id text not null
  ) strict`;

/** Durable ledger of the network's responses. Stores only the last four digits of each card number. */
export interface NetworkLedger extends Disposable {
  /** Identity of the ledger. Created with the ledger and never changed. */
  readonly identity: string;
  /** Returns the stored response for a reference, or stores the response that `decide` returns. */
  authorise(
    request: AuthorisationRequest,
    decide: (history: AuthorisationHistory) => AuthorisationAnswer,
  ): Promise<AuthorisationAnswer>;
  /**
   * Reverses an approval; refuses an authorisation that arrives after its reversal. Does not change declined or
   * refunded authorisations.
   */
  reverse(reference: string): Promise<AuthorisationAnswer>;
  /** Response to an inquiry about an authorisation. */
  inquire(reference: string): AuthorisationAnswer | 'pending' | undefined;
  /** Returns the stored response for the reference of a refund or capture, or decides and stores it. */
  follow(
    kind: FollowUpKind,
    authorisation: string,
    request: FollowUpRequest,
  ): Promise<FollowUpAnswer>;
  findFollowUp(kind: FollowUpKind, reference: string): FollowUpAnswer | undefined;
  /**
   * Disputes an authorisation's remaining amount once, or an explicit part of it again. Undefined if the captured
   * amount, less refunds and disputes, is too small.
   */
  dispute(
    authorisation: string,
    reason: DisputeReason,
    disputedAmount?: number,
  ): Promise<NetworkDispute | undefined>;
  respond(reference: string, evidence: string | undefined): Promise<NetworkDispute | undefined>;
  /** Applies the scheduled effect of an authorisation now; false if none is scheduled. */
  triggerEffect(reference: string): Promise<boolean>;
  /** Disputes whose position is after `position`. Opens due disputes first. */
  disputesAfter(position: number): Promise<NetworkDispute[]>;
  /** Part of a day's settlement file; undefined until the day is over. */
  settlement(day: string, part: number): SettlementFilePart | undefined;
  /** Approved changes of money since an instant, after a position. */
  history(since: string, position: number): HistoryEntry[];
  counts(): NetworkCounts;
}

/** Opens the ledger in a directory and creates it if necessary. Throws if another process has it open. */
export function openLedger(dataDir: string, now = () => new Date()): NetworkLedger {
  mkdirSync(dataDir, { recursive: true });
  const db = new DatabaseSync(join(dataDir, FILE_NAME));
  try {
    db.exec(IDENTITY_SCHEMA);
    db.exec(AUTHORISATION_SCHEMA);
    db.exec(FOLLOW_UP_SCHEMA);
    upgradeDisputes(db);
    db.exec(DISPUTE_SCHEMA);
    db.exec(SIMULATION_SCHEMA);
    db.exec(SETTLEMENT_SCHEMA);
    db.exec(HISTORY_SCHEMA);
    return createNetworkLedger(db, now);
  } catch (error) {
    db.close();
    throw error;
  }
}

function createNetworkLedger(db: DatabaseSync, now: () => Date): NetworkLedger {
  const commit = createGroupCommit(db);
  const ledgers = {
    authorisations: createAuthorisationLedger(db),
    followUps: createFollowUpLedger(db),
    disputes: createDisputeLedger(db),
    simulations: createSimulationLedger(db),
    settlement: createSettlementLedger(db, now),
    history: createHistoryLedger(db, now),
  };
  const { authorisations, followUps, disputes, simulations, settlement } = ledgers;
  const { authorise, undo, follow, dispute, respond } = createWrites(ledgers, now);

  function inquire(reference: string): AuthorisationAnswer | 'pending' | undefined {
    const isPending = simulations.isPending(reference, now());
    return isPending ? 'pending' : authorisations.findPriced(reference);
  }

  function disputesAfter(position: number): NetworkDispute[] {
    for (const reference of simulations.takeDisputed(now())) dispute(reference, 'fraudulent');
    return disputes.listAfter(position);
  }

  return {
    identity: identityOf(db),
    authorise: (request, decide) => commit(() => authorise(request, decide)),
    reverse: (reference) => commit(() => undo(reference)),
    inquire,
    follow: (kind, authorisation, request) => commit(() => follow(kind, authorisation, request)),
    findFollowUp: followUps.find,
    dispute: (authorisation, reason, part) => commit(() => dispute(authorisation, reason, part)),
    triggerEffect: (reference) => commit(() => simulations.triggerEffect(reference, now())),
    respond: (reference, evidence) => commit(() => respond(reference, evidence)),
    disputesAfter: (position) => commit(() => disputesAfter(position)),
    settlement: settlement.readPart,
    history: ledgers.history.list,
    counts: () => ({ ...authorisations.totals(), ...followUps.totals() }),
    [Symbol.dispose]: () => db.close(),
  };
}

function identityOf(db: DatabaseSync): string {
  db.prepare('insert or ignore into identity values (1, ?)').run(randomUUID());
  return (db.prepare('select id from identity').get() as { id: string }).id;
}

interface Ledgers {
  readonly authorisations: AuthorisationLedger;
  readonly followUps: FollowUpLedger;
  readonly disputes: DisputeLedger;
  readonly simulations: SimulationLedger;
  readonly settlement: SettlementLedger;
  readonly history: HistoryLedger;
}

/** Write functions of the ledger. Callers run each one inside a commit. */
function createWrites(
  { authorisations, followUps, disputes, simulations, settlement, history }: Ledgers,
  now: () => Date,
) {
  const { dispute, openRequestedDisputes } = createDisputeWrites({
    followUps,
    disputes,
    simulations,
  });

  function authorise(
    request: AuthorisationRequest,
    decide: (history: AuthorisationHistory) => AuthorisationAnswer,
  ): AuthorisationAnswer {
    const { reference, amount, capture, simulate } = request;
    const storedAnswer = authorisations.findRepeated(reference);
    if (storedAnswer) return storedAnswer;
    const answer = decide(authorisations.historyOf(request));
    authorisations.enter(request, answer);
    if (answer.result === 'approved') history.enter(entryOfApproval(request, answer));
    if (answer.result === 'approved' && capture) settlement.collect(request, answer);
    if (answer.result === 'approved' && !capture) followUps.hold(reference);
    if (simulate) scheduleEffect(reference, simulate, scheduledEffectOf(request.simulate));
    openRequestedDisputes(reference, amount);
    return answer;
  }

  function scheduleEffect(
    reference: string,
    simulate: string,
    effect: ReturnType<typeof scheduledEffectOf>,
  ): void {
    const effectTime = effect && new Date(now().getTime() + effect[1] * 1000);
    simulations.enter(reference, simulate, effectTime && [effect[0], effectTime]);
  }

  function follow(
    kind: FollowUpKind,
    authorisation: string,
    request: FollowUpRequest,
  ): FollowUpAnswer {
    const { heldAmount } = followUps.stateOf(authorisation);
    const isRepeated = followUps.find(kind, request.reference) !== undefined;
    const answer = followUps.follow(kind, authorisation, request);
    if (answer.result === 'approved' && !isRepeated)
      history.enter(entryOfFollowUp(kind, authorisation, request));
    if (answer.result === 'approved') {
      const simulate = request.simulate ?? simulations.find(authorisation);
      settlement.enter({ ...request, entry: kind, authorisation }, simulate);
      if (kind === 'capture') openRequestedDisputes(authorisation, heldAmount);
    }
    return answer;
  }

  const { respond, undo } = createLaterWrites({
    authorisations,
    followUps,
    disputes,
    simulations,
    settlement,
    history,
  });
  return { authorise, undo, follow, dispute, respond };
}

/** Write functions of what follows an authorisation without a capture or refund. Callers run each one inside a commit. */
function createLaterWrites({
  authorisations,
  followUps,
  disputes,
  simulations,
  settlement,
  history,
}: Ledgers) {
  function respond(reference: string, evidence: string | undefined): NetworkDispute | undefined {
    const decidedDispute = disputes.respond(reference, evidence);
    if (decidedDispute?.status === 'lost')
      settlement.enter({ ...decidedDispute, entry: 'dispute' }, undefined);
    return decidedDispute;
  }

  function undo(reference: string): AuthorisationAnswer {
    const storedAnswer = authorisations.find(reference);
    const isFinal =
      storedAnswer &&
      (storedAnswer.result !== 'approved' || followUps.refundedAmountOf(reference) > 0);
    if (isFinal) return storedAnswer;
    if (storedAnswer) history.enter(entryOfReversal(reference, followUps.stateOf(reference)));
    settlement.remove(reference);
    simulations.dropDispute(reference);
    return authorisations.reverse(reference);
  }

  return { respond, undo };
}

/** Functions that open disputes. Callers run each one inside a commit. */
function createDisputeWrites({
  followUps,
  disputes,
  simulations,
}: Pick<Ledgers, 'followUps' | 'disputes' | 'simulations'>) {
  function dispute(
    authorisation: string,
    reason: DisputeReason,
    disputedAmount?: number,
  ): NetworkDispute | undefined {
    const wholeDispute = disputedAmount === undefined && disputes.findWhole(authorisation);
    if (wholeDispute) return wholeDispute;
    const { currency, capturedAmount, refundedAmount } = followUps.stateOf(authorisation);
    const undisputedAmount =
      capturedAmount - refundedAmount - disputes.disputedAmountOf(authorisation);
    const amount = disputedAmount ?? undisputedAmount;
    if (amount <= 0 || amount > undisputedAmount) return undefined;
    return disputes.open(
      authorisation,
      { amount, currency },
      reason,
      disputedAmount ? 'part' : 'whole',
    );
  }

  /** Opens the dispute that the amount or the simulation requests. Called right after the capture. */
  function openRequestedDisputes(authorisation: string, amount: number): void {
    if (isDisputed(amount)) dispute(authorisation, 'fraudulent');
    for (const partialAmount of disputedPartsOf(simulations.find(authorisation))) {
      dispute(authorisation, 'fraudulent', partialAmount);
    }
  }

  return { dispute, openRequestedDisputes };
}
