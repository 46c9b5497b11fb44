import { problem } from '@florin/contract/errors.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '../../../http/rate-limit.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { isUse } from '../dashboard/background.ts';
import { requireOwnPage } from '../dashboard/own-page.ts';
import { sessionTokenOf } from '../dashboard/session-cookie.ts';
import { type Member, type Membership, membershipOf } from '../sql/members.ts';
import type { SignedInPerson } from '../sql/sessions.ts';
import { awaitsFactor, liveFactorNeeded } from './factor-rule.ts';

/**
 * Headers that name merchant and mode. Pages of other sites cannot send them without a CORS
 * preflight.
 */
const MERCHANT_HEADER = 'florin-merchant';
const MODE_HEADER = 'florin-mode';

export interface MemberOptions {
  readonly db: Db;
  /** System clock. */
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'findPerson' | 'isKnownToken'>;
  readonly limits: Pick<RateLimits, 'countAnonymous' | 'exempt'>;
  /** Origin of the dashboard and the interface. */
  readonly public_url: string;
}

/**
 * Finds the person of a request. Undefined without an open session, or if the headers name no
 * merchant and mode.
 */
export type FindMember = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Member | undefined>;

/** Operators may read all records of all merchants, and change none here. */
const OPERATOR_PERMISSIONS: ReadonlySet<string> = new Set(
  Object.values(resources).map((resource) => permissionSlug(resource, 'read')),
);

/**
 * Finds the person by the session's cookie, and the permissions for the named merchant. Each call reads the database,
 * so that removed permissions end immediately. Throws 403 for requests from pages of other sites, and for other
 * people's merchants. Counts an unknown token as a guess before the query, and removes the count if the token is valid.
 */
export const createFindMember =
  ({ db, clock, sessions, public_url, limits }: MemberOptions): FindMember =>
  async (request, reply) => {
    const scope = namedInHeaders(request);
    const token = scope && sessionTokenOf(request, public_url);
    if (!token) return undefined;
    requireOwnPage(request, public_url);
    const isNew = !sessions.isKnownToken(token);
    if (isNew) limits.countAnonymous(reply, request.ip);
    const person = await sessions.findPerson(token, isUse(request));
    if (isNew) limits.exempt(request.ip);
    return person && memberOf({ db, clock }, person, scope);
  };

/**
 * Person as a member of the merchant. Throws 403 if the person may not read the merchant, or if live permissions wait
 * for a second factor.
 */
export async function memberOf(
  { db, clock }: Pick<MemberOptions, 'db' | 'clock'>,
  person: SignedInPerson,
  scope: Scope,
): Promise<Member> {
  const membership = await membershipOf(db, person.account.id, scope);
  const permissions =
    membership?.permissions ?? (person.account.operator ? OPERATOR_PERMISSIONS : undefined);
  if (!membership || !permissions) throw notTheirs();
  const { sandbox_only, accepted_at, membership_id } = membership;
  const lacks_factor =
    accepted_at !== undefined && awaitsFactor(person.account, accepted_at, clock.now());
  if (lacks_factor && scope.mode === 'live') throw liveFactorNeeded();
  return {
    scope,
    permissions,
    settings: settingsFor(membership),
    person,
    membership_id,
    sandbox_only,
    lacks_factor,
  };
}

/** Operators can read merchants that are under enforcement actions. */
const settingsFor = ({ permissions, settings }: Membership): Membership['settings'] =>
  permissions ? settings : { ...settings, merchant_status: 'active' };

/** Merchant and mode of a request's headers; undefined without them. */
export const namedInHeaders = ({ headers }: FastifyRequest): Scope | undefined =>
  asScope(headers[MERCHANT_HEADER], headers[MODE_HEADER]);

export const asScope = (merchant_id: unknown, mode: unknown): Scope | undefined =>
  typeof merchant_id === 'string' && isUuid(merchant_id) && (mode === 'live' || mode === 'sandbox')
    ? { merchant_id, mode }
    : undefined;

const notTheirs = () =>
  problem(
    'forbidden',
    'Your account is not a member of this merchant. Ask an owner to invite you.',
    {
      header: 'Florin-Merchant',
    },
  );
