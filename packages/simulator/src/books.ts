import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  AuthorisationAnswer,
  AuthorisationRequest,
  Books,
  DisputeReason,
  FollowUpAnswer,
  FollowUpRequest,
  NetworkDispute,
} from '@florin/contract/protocol/network.ts';
import { AUTHORISATION_SCHEMA, authorisationLedger } from './authorisation-ledger.ts';
import type { FollowUpKind } from './decide-follow-up.ts';
import { DISPUTE_SCHEMA, disputeLedger } from './dispute-ledger.ts';
import { isDisputed } from './faults.ts';
import { FOLLOW_UP_SCHEMA, followUpLedger } from './follow-up-ledger.ts';
import { groupCommit } from './group-commit.ts';

const FILE = 'books.sqlite';

/** The network's durable record of what it has answered. It keeps the last four digits of a card. */
export interface BookStore extends Disposable {
  /**
   * The first answer for a reference, made by `decide` where there is none yet. `replayed`: the request's
   * cryptogram stands behind another authorisation that is approved.
   */
  authorise(
    request: AuthorisationRequest,
    decide: (replayed: boolean) => AuthorisationAnswer,
  ): Promise<AuthorisationAnswer>;
  /** Undoes an approval and refuses what may still arrive; a decline stays as it is, and so does what was refunded. */
  reverse(reference: string): Promise<AuthorisationAnswer>;
  find(reference: string): AuthorisationAnswer | undefined;
  /** The first answer for the reference of a refund or a capture. */
  follow(
    kind: FollowUpKind,
    authorisation: string,
    request: FollowUpRequest,
  ): Promise<FollowUpAnswer>;
  findFollowUp(kind: FollowUpKind, reference: string): FollowUpAnswer | undefined;
  /** The dispute of an authorisation; undefined where nothing of it was captured and not refunded. */
  dispute(authorisation: string, reason: DisputeReason): Promise<NetworkDispute | undefined>;
  respond(reference: string, evidence: string | undefined): Promise<NetworkDispute | undefined>;
  disputesAfter(position: number): NetworkDispute[];
  counts(): Books;
}

/** Opens the books in a folder, which it creates; throws where another process has them open. */
export function openBooks(dataDir: string): BookStore {
  mkdirSync(dataDir, { recursive: true });
  const db = new DatabaseSync(join(dataDir, FILE));
  try {
    db.exec(AUTHORISATION_SCHEMA);
    db.exec(FOLLOW_UP_SCHEMA);
    db.exec(DISPUTE_SCHEMA);
    return bookStore(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function bookStore(db: DatabaseSync): BookStore {
  const commit = groupCommit(db);
  const authorisations = authorisationLedger(db);
  const followUps = followUpLedger(db);
  const disputes = disputeLedger(db);

  function authorise(
    request: AuthorisationRequest,
    decide: (replayed: boolean) => AuthorisationAnswer,
  ): AuthorisationAnswer {
    const { reference, amount, capture } = request;
    const known = authorisations.repeated(reference);
    if (known) return known;
    const answer = decide(authorisations.isReplayed(request));
    authorisations.enter(request, answer);
    if (answer.result === 'approved' && !capture) followUps.hold(reference);
    if (isDisputed(amount)) dispute(reference, 'fraudulent');
    return answer;
  }

  function dispute(authorisation: string, reason: DisputeReason): NetworkDispute | undefined {
    const { currency, captured, refunded } = followUps.standingOf(authorisation);
    const amount = captured - refunded;
    return amount > 0 ? disputes.open(authorisation, amount, currency, reason) : undefined;
  }

  function undo(reference: string): AuthorisationAnswer {
    const known = authorisations.find(reference);
    const isFinal = known && (known.result !== 'approved' || followUps.refundedOf(reference) > 0);
    return isFinal ? known : authorisations.reverse(reference);
  }

  return {
    authorise: (request, decide) => commit(() => authorise(request, decide)),
    reverse: (reference) => commit(() => undo(reference)),
    find: authorisations.find,
    follow: (kind, authorisation, request) =>
      commit(() => followUps.follow(kind, authorisation, request)),
    findFollowUp: followUps.find,
    dispute: (authorisation, reason) => commit(() => dispute(authorisation, reason)),
    respond: (reference, evidence) => commit(() => disputes.respond(reference, evidence)),
    disputesAfter: disputes.after,
    counts: () => ({ ...authorisations.totals(), ...followUps.totals() }),
    [Symbol.dispose]: () => db.close(),
  };
}
