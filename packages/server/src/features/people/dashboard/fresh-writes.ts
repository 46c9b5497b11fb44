import type { FastifyInstance } from 'fastify';
import type { Models } from '../../../jsonapi/model.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { isFreshAt } from '../accounts/sessions.ts';
import { requireLive } from '../memberships/decide.ts';
import { notFresh } from './api.ts';

/** Types over which somebody at a session of another could make themselves a way in that stays. */
const GUARDED = /^\/v2\/(?:memberships|merchant_tokens)(?:\/|$)/;

/** These decide themselves what a membership of the sandbox changes of them. */
const OWN_RULE = 'memberships';

/** What live mode has as well is not changed by a membership of the sandbox, whatever mode it names. */
export function registerLiveWrites(fastify: FastifyInstance, { all }: Models): void {
  const shared = new Set(all.filter(({ has_mode }) => !has_mode).map(({ type }) => type));
  shared.delete(OWN_RULE);
  fastify.addHook('onRequest', async ({ caller, method, routeOptions }) => {
    if (!caller || !('person' in caller) || method === 'GET' || method === 'HEAD') return;
    const [, , type = ''] = routeOptions.url?.split('/') ?? [];
    if (shared.has(type)) requireLive(caller);
  });
}

/** Changes of who may do what take, of a person, a sign-in of lately. A key is as good as it ever was. */
export function registerFreshWrites(fastify: FastifyInstance, clock: Clock): void {
  fastify.addHook('onRequest', async ({ caller, method, routeOptions }) => {
    if (!caller || !('person' in caller) || method === 'GET' || method === 'HEAD') return;
    if (!GUARDED.test(routeOptions.url ?? '')) return;
    if (!isFreshAt(caller.person.session, clock.now())) throw notFresh();
  });
}
