import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { Services } from '../../../services.ts';
import { refuseBanned } from '../../merchants/status-checks.ts';
import { asScope, memberOf, namedInHeaders } from '../access/member-admission.ts';
import { requireLive } from '../memberships/decide.ts';
import { personOf } from './api.ts';

/** Subject of a member's request. */
export interface RequestSubject {
  /** Resource type that decides what a banned merchant may still read. */
  readonly type: string;
  /** Set if both modes share the subject. */
  readonly of_both_modes?: true;
}

/**
 * Context of a member's request to one merchant and mode. Throws 400 if the request does not name both. Throws 403 for
 * non-members, for banned merchants, and for members without live mode if live mode shares the subject.
 */
export async function memberContext(
  { db, clock, system_clock, config }: Services,
  request: FastifyRequest,
  { type, of_both_modes }: RequestSubject,
): Promise<RequestContext> {
  const scope = namedInHeaders(request) ?? namedInQuery(request);
  if (!scope) throw namelessProblem();
  const person = personOf(request);
  const member = await memberOf({ db, clock: system_clock }, person, scope);
  if (isRead(request) && member.membership_id === undefined)
    await request.logRead({ account_id: person.account.id, merchant_id: scope.merchant_id });
  const { permissions, settings } = member;
  refuseBanned(member, { isRead: isRead(request), type });
  if (of_both_modes) requireLive(member);
  return {
    scope,
    permissions,
    settings,
    now: () => clock.now(),
    request_id: request.id,
    base_url: config.public_url,
  };
}

/** Browsers send no custom headers for downloads, so the query names merchant and mode. */
function namedInQuery({ method, query }: FastifyRequest): Scope | undefined {
  const { merchant, mode } = query as Readonly<Record<string, unknown>>;
  return method === 'GET' ? asScope(merchant, mode) : undefined;
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

const namelessProblem = () =>
  problem(
    'invalid_document',
    'The headers Florin-Merchant and Florin-Mode are missing. Send the id of the merchant and the mode.',
    {
      header: 'Florin-Merchant',
    },
  );
