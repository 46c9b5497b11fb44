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

/** Response on the wire. `duplicate` and the last two union members are simulated faults. */
export type Reply =
  | { readonly status: number; readonly body: unknown; readonly duplicate?: 'later' | 'at_once' }
  | 'hang_up'
  | 'garbage';

export interface NetworkDeps {
  readonly ledger: NetworkLedger;
  readonly directory: Directory;
  readonly faultOf: FaultOf;
  readonly now: () => Date;
  /** Aborts delayed requests when the simulator closes. */
  readonly closingSignal: AbortSignal;
}

export type Network = (method: string, path: string, body: unknown) => Promise<Reply>;

const okReply = (body: unknown): AnsweredReply => ({ status: 200, body });
const badRequestReply: Reply = { status: 400, body: { error: 'The message is not well-formed.' } };
const notFoundReply = (error: string): AnsweredReply => ({ status: 404, body: { error } });

const AUTHORISATION_PATH = new RegExp(
  `^${networkPaths.authorisations}/([^/]+)(/reverse|/refunds|/captures|/dispute|/later)?$`,
);
const NOTIFICATIONS_PATH = /^\/v1\/disputes\/after\/(\d{1,15})$/;
const SETTLEMENT_PATH = /^\/v1\/settlements\/(\d{4}-\d\d-\d\d)\/([1-9]\d{0,8})$/;
const HISTORY_PATH = /^\/v1\/history\/(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)\/(\d{1,15})$/;
const RESPONSE_PATH = /^\/v1\/disputes\/([^/]+)\/response$/;
const NETWORK_PATH = /^\/networks\/([^/]+)(\/.*)$/;
const FOLLOW_UP_PATH = new RegExp(`^(${networkPaths.refunds}|${networkPaths.captures})/([^/]+)$`);

/** Behaviour of the network by method and path, without its HTTP transport. */
export function createNetwork(networkDeps: NetworkDeps): Network {
  const deps = { ...networkDeps, isCutOff: createCutOffCheck() };
  return async (method, path, body) => {
    const [, requestedIdentity, localPath] = NETWORK_PATH.exec(path) ?? [];
    if (requestedIdentity !== undefined && requestedIdentity !== deps.ledger.identity)
      return anotherNetworkReply;
    return answerRequest(deps, method, localPath ?? path, body);
  };
}

/** Status 421 instead of 404: an inquiry would read 404 as "reference unknown". */
const anotherNetworkReply: Reply = {
  status: 421,
  body: { error: 'The message is meant for another network.' },
};

async function answerRequest(
  deps: RouteDeps,
  method: string,
  path: string,
  body: unknown,
): Promise<Reply> {
  const { identity } = deps.ledger;
  const route = `${method} ${path}`;
  if (route === `POST ${networkPaths.authorisations}`) return authorise(deps, body);
  if (route === `POST ${networkPaths.authentications}`)
    return okReply(deps.directory.authenticate(body));
  if (route === `POST ${networkPaths.cardRanges}`) return okReply(deps.directory.lookUp(body));
  if (route === `GET ${networkPaths.books}`) return okReply(deps.ledger.counts());
  if (route === `GET ${networkPaths.identity}`)
    return okReply({ identity } satisfies NetworkIdentity);
  if (route === `GET ${networkPaths.health}`) return okReply({ status: 'ok' });
  const [, reference, action = ''] = AUTHORISATION_PATH.exec(path) ?? [];
  if (reference !== undefined) {
    return answerAboutAuthorisation(deps, `${method} ${action}`, checkReference(reference), body);
  }
  const [, position] = NOTIFICATIONS_PATH.exec(path) ?? [];
  if (position !== undefined && method === 'GET') {
    return okReply({ disputes: await deps.ledger.disputesAfter(Number(position)) });
  }
  const [, day = '', filePart] = SETTLEMENT_PATH.exec(path) ?? [];
  if (filePart !== undefined && method === 'GET') {
    return inquiryReply(deps.ledger.settlement(day, Number(filePart)));
  }
  const [, since, after] = HISTORY_PATH.exec(path) ?? [];
  if (since !== undefined && method === 'GET')
    return okReply({ entries: deps.ledger.history(since, Number(after)) });
  const [, disputeReference] = RESPONSE_PATH.exec(path) ?? [];
  if (disputeReference !== undefined && method === 'POST') {
    return respond(deps, checkReference(disputeReference), body);
  }
  const [, pathPrefix, followUpReference] = FOLLOW_UP_PATH.exec(path) ?? [];
  if (followUpReference !== undefined && method === 'GET') {
    const kind = pathPrefix === networkPaths.refunds ? 'refund' : 'capture';
    return inquire(deps, checkReference(followUpReference), (foundReference) =>
      deps.ledger.findFollowUp(kind, foundReference),
    );
  }
  return noSuchPathReply;
}

/**
 * Whether fault `reset` disconnects a message. Refunds and captures are disconnected only once, because the server
 * sends them again.
 */
type CutOffCheck = (reference: string) => boolean;
type RouteDeps = NetworkDeps & { readonly isCutOff: CutOffCheck };

/** Maximum references of disconnected refunds and captures held in memory. */
const CUT_OFF_MAX = 10_000;

function createCutOffCheck(): CutOffCheck {
  const cutOffReferences = new Set<string>();
  return (reference) => {
    if (cutOffReferences.delete(reference)) return false;
    if (cutOffReferences.size < CUT_OFF_MAX) cutOffReferences.add(reference);
    return true;
  };
}

const noSuchPathReply = notFoundReply('There is no such path.');

async function answerAboutAuthorisation(
  deps: RouteDeps,
  route: string,
  reference: string,
  body: unknown,
): Promise<Reply> {
  switch (route) {
    case 'GET ':
      return inquire(deps, reference, deps.ledger.inquire);
    case 'POST /reverse':
      return withFault(deps, deps.faultOf({ reference }), async () =>
        okReply(await deps.ledger.reverse(reference)),
      );
    case 'POST /dispute': {
      const { reason, amount } = parseDispute(body);
      return inquiryReply(await deps.ledger.dispute(reference, reason, amount));
    }
    case 'POST /later':
      await deps.ledger.triggerEffect(reference);
      return okReply({ reference });
    case 'POST /refunds':
      return follow(deps, 'refund', reference, body);
    case 'POST /captures':
      return follow(deps, 'capture', reference, body);
    default:
      return noSuchPathReply;
  }
}

function authorise(deps: NetworkDeps, body: unknown): Promise<Reply> {
  const request = parseAuthorisation(body);
  const authoriseInLedger = async () =>
    okReply(
      await deps.ledger.authorise(request, (history) => decide(request, deps.now(), history)),
    );
  return withFault(deps, requestedFault(request) ?? deps.faultOf(request), authoriseInLedger);
}

function follow(
  deps: RouteDeps,
  kind: FollowUpKind,
  authorisation: string,
  body: unknown,
): Promise<Reply> {
  const request = parseFollowUp(body);
  const fault = requestedFault(request) ?? deps.faultOf(request);
  const isResent = fault === 'reset' && !deps.isCutOff(request.reference);
  const followInLedger = async () =>
    okReply(await deps.ledger.follow(kind, authorisation, request));
  return withFault(deps, isResent ? undefined : fault, followInLedger);
}

const inquire = (
  deps: RouteDeps,
  reference: string,
  findAnswer: (reference: string) => unknown,
): Promise<Reply> =>
  withFault(deps, deps.faultOf({ reference }), async () => inquiryReply(findAnswer(reference)));

function respond(deps: RouteDeps, reference: string, body: unknown): Promise<Reply> {
  const evidence = parseEvidence(body);
  const respondInLedger = async () => inquiryReply(await deps.ledger.respond(reference, evidence));
  return withFault(deps, deps.faultOf({ reference }), respondInLedger);
}

type AnsweredReply = Exclude<Reply, string>;

/** Stores a request and responds, unless a simulated fault prevents one of the two. */
async function withFault(
  { closingSignal }: NetworkDeps,
  fault: Fault | undefined,
  storeAndRespond: () => Promise<AnsweredReply>,
): Promise<Reply> {
  if (fault === 'reset') return 'hang_up';
  if (fault === 'refuse') return badRequestReply;
  const delay = delayOf(fault);
  if (delay > 0) await sleep(delay, undefined, { signal: closingSignal });
  const answer = await storeAndRespond();
  if (fault === 'lose_answer') return 'hang_up';
  if (fault === 'duplicate') return { ...(await storeAndRespond()), duplicate: 'later' };
  if (fault === 'duplicate_at_once') return { ...(await storeAndRespond()), duplicate: 'at_once' };
  return fault === 'garbage' ? 'garbage' : answer;
}

/** Response to an inquiry while the outcome is not decided. */
const pendingReply: AnsweredReply = { status: 202, body: { result: 'pending' } };

function inquiryReply(answer: unknown): AnsweredReply {
  if (answer === 'pending') return pendingReply;
  return answer ? okReply(answer) : notFoundReply('This reference is not known.');
}
