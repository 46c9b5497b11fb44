import { setTimeout as sleep } from 'node:timers/promises';
import { type NetworkIdentity, networkPaths } from '@florin/contract/protocol/network.ts';
import { decide } from './decide.ts';
import type { FollowUpKind } from './decide-follow-up.ts';
import { delayOf, type Fault, type FaultOf } from './faults.ts';
import type { NetworkLedger } from './ledger.ts';
import {
  checkReference,
  parseAuthorisation,
  parseDispute,
  parseEvidence,
  parseFollowUp,
} from './parse.ts';
import { requestedFault } from './simulate.ts';
import type { Directory } from './threeds/directory.ts';

/** Response on the wire. `twice` and the last two union members are simulated faults. */
export type Reply =
  | { readonly status: number; readonly body: unknown; readonly twice?: 'later' | 'at_once' }
  | 'hang_up'
  | 'garbage';

export interface NetworkParts {
  readonly ledger: NetworkLedger;
  readonly directory: Directory;
  readonly faultOf: FaultOf;
  readonly now: () => Date;
  /** Aborts delayed requests when the simulator closes. */
  readonly closing: AbortSignal;
}

export type Network = (method: string, path: string, body: unknown) => Promise<Reply>;

const ok = (body: unknown): AnsweredReply => ({ status: 200, body });
const badRequest: Reply = { status: 400, body: { error: 'The message is not well-formed.' } };
const notFound = (error: string): AnsweredReply => ({ status: 404, body: { error } });

const AUTHORISATION_PATH = new RegExp(
  `^${networkPaths.authorisations}/([^/]+)(/reverse|/refunds|/captures|/dispute|/later)?$`,
);
const NOTIFICATIONS_PATH = /^\/v1\/disputes\/after\/(\d{1,15})$/;
const SETTLEMENT_PATH = /^\/v1\/settlements\/(\d{4}-\d\d-\d\d)\/([1-9]\d{0,8})$/;
const RESPONSE_PATH = /^\/v1\/disputes\/([^/]+)\/response$/;
const ONLY_PATH = /^\/networks\/([^/]+)(\/.*)$/;
const FOLLOW_UP_PATH = new RegExp(`^(${networkPaths.refunds}|${networkPaths.captures})/([^/]+)$`);

/** Behaviour of the network by method and path, without its HTTP transport. */
export function createNetwork(given: NetworkParts): Network {
  const parts = { ...given, cutOff: createCutOff() };
  return async (method, path, body) => {
    const [, wanted, own] = ONLY_PATH.exec(path) ?? [];
    if (wanted !== undefined && wanted !== parts.ledger.identity) return anotherNetwork;
    return answerRequest(parts, method, own ?? path, body);
  };
}

/** Status 421 instead of 404: an inquiry would read 404 as "reference unknown". */
const anotherNetwork: Reply = {
  status: 421,
  body: { error: 'The message is meant for another network.' },
};

async function answerRequest(
  parts: Parts,
  method: string,
  path: string,
  body: unknown,
): Promise<Reply> {
  const { identity } = parts.ledger;
  const call = `${method} ${path}`;
  if (call === `POST ${networkPaths.authorisations}`) return authorise(parts, body);
  if (call === `POST ${networkPaths.authentications}`)
    return ok(parts.directory.authenticate(body));
  if (call === `POST ${networkPaths.cardRanges}`) return ok(parts.directory.lookUp(body));
  if (call === `GET ${networkPaths.books}`) return ok(parts.ledger.counts());
  if (call === `GET ${networkPaths.identity}`) return ok({ identity } satisfies NetworkIdentity);
  if (call === `GET ${networkPaths.health}`) return ok({ status: 'ok' });
  const [, reference, part = ''] = AUTHORISATION_PATH.exec(path) ?? [];
  if (reference !== undefined) {
    return aboutAuthorisation(parts, `${method} ${part}`, checkReference(reference), body);
  }
  const [, position] = NOTIFICATIONS_PATH.exec(path) ?? [];
  if (position !== undefined && method === 'GET') {
    return ok({ disputes: await parts.ledger.disputesAfter(Number(position)) });
  }
  const [, day = '', filePart] = SETTLEMENT_PATH.exec(path) ?? [];
  if (filePart !== undefined && method === 'GET') {
    return inquiryReply(parts.ledger.settlement(day, Number(filePart)));
  }
  const [, dispute] = RESPONSE_PATH.exec(path) ?? [];
  if (dispute !== undefined && method === 'POST') {
    return respond(parts, checkReference(dispute), body);
  }
  const [, pathPrefix, followUp] = FOLLOW_UP_PATH.exec(path) ?? [];
  if (followUp !== undefined && method === 'GET') {
    const kind = pathPrefix === networkPaths.refunds ? 'refund' : 'capture';
    return inquire(parts, checkReference(followUp), (found) =>
      parts.ledger.findFollowUp(kind, found),
    );
  }
  return noSuchPath;
}

/**
 * Whether fault `reset` disconnects a message. Refunds and captures are disconnected only once, because the server
 * sends them again.
 */
type CutOff = (reference: string) => boolean;
type Parts = NetworkParts & { readonly cutOff: CutOff };

/** Maximum references of disconnected refunds and captures held in memory. */
const CUT_OFF_MAX = 10_000;

function createCutOff(): CutOff {
  const before = new Set<string>();
  return (reference) => {
    if (before.delete(reference)) return false;
    if (before.size < CUT_OFF_MAX) before.add(reference);
    return true;
  };
}

const noSuchPath = notFound('There is no such path.');

async function aboutAuthorisation(
  parts: Parts,
  call: string,
  reference: string,
  body: unknown,
): Promise<Reply> {
  switch (call) {
    case 'GET ':
      return inquire(parts, reference, parts.ledger.inquire);
    case 'POST /reverse':
      return withFault(parts, parts.faultOf({ reference }), async () =>
        ok(await parts.ledger.reverse(reference)),
      );
    case 'POST /dispute': {
      const { reason, amount } = parseDispute(body);
      return inquiryReply(await parts.ledger.dispute(reference, reason, amount));
    }
    case 'POST /later':
      await parts.ledger.triggerEffect(reference);
      return ok({ reference });
    case 'POST /refunds':
      return follow(parts, 'refund', reference, body);
    case 'POST /captures':
      return follow(parts, 'capture', reference, body);
    default:
      return noSuchPath;
  }
}

function authorise(parts: NetworkParts, body: unknown): Promise<Reply> {
  const request = parseAuthorisation(body);
  const authoriseInLedger = async () =>
    ok(await parts.ledger.authorise(request, (history) => decide(request, parts.now(), history)));
  return withFault(parts, requestedFault(request) ?? parts.faultOf(request), authoriseInLedger);
}

function follow(
  parts: Parts,
  kind: FollowUpKind,
  authorisation: string,
  body: unknown,
): Promise<Reply> {
  const request = parseFollowUp(body);
  const fault = requestedFault(request) ?? parts.faultOf(request);
  const passes = fault === 'reset' && !parts.cutOff(request.reference);
  const followInLedger = async () => ok(await parts.ledger.follow(kind, authorisation, request));
  return withFault(parts, passes ? undefined : fault, followInLedger);
}

const inquire = (
  parts: Parts,
  reference: string,
  find: (reference: string) => unknown,
): Promise<Reply> =>
  withFault(parts, parts.faultOf({ reference }), async () => inquiryReply(find(reference)));

function respond(parts: Parts, reference: string, body: unknown): Promise<Reply> {
  const evidence = parseEvidence(body);
  const inquireInLedger = async () => inquiryReply(await parts.ledger.respond(reference, evidence));
  return withFault(parts, parts.faultOf({ reference }), inquireInLedger);
}

type AnsweredReply = Exclude<Reply, string>;

/** Stores a request and responds, unless a simulated fault prevents one of the two. */
async function withFault(
  { closing }: NetworkParts,
  fault: Fault | undefined,
  respond: () => Promise<AnsweredReply>,
): Promise<Reply> {
  if (fault === 'reset') return 'hang_up';
  if (fault === 'refuse') return badRequest;
  const delay = delayOf(fault);
  if (delay > 0) await sleep(delay, undefined, { signal: closing });
  const answer = await respond();
  if (fault === 'lose_answer') return 'hang_up';
  if (fault === 'duplicate') return { ...(await respond()), twice: 'later' };
  if (fault === 'duplicate_at_once') return { ...(await respond()), twice: 'at_once' };
  return fault === 'garbage' ? 'garbage' : answer;
}

/** Response to an inquiry while the outcome is not decided. */
const pending: AnsweredReply = { status: 202, body: { result: 'pending' } };

function inquiryReply(answer: unknown): AnsweredReply {
  if (answer === 'pending') return pending;
  return answer ? ok(answer) : notFound('This reference is not known.');
}
