import type { FastifyInstance } from 'fastify';
import { createSyncHook } from '../../../http/hook.ts';
import type { Models } from '../../../jsonapi/model.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { isFreshAt } from '../accounts/sessions.ts';
import { requireLive } from '../memberships/decide.ts';
import { notFresh } from './api.ts';

/** Resource types that could give an intruder with a stolen session lasting access. */
const GUARDED = /^\/v2\/(?:memberships|merchant_tokens)(?:\/|$)/;

/** Resource type with its own rules for sandbox memberships. */
const OWN_RULE = 'memberships';

/** Refuses writes of sandbox memberships to settings that live mode shares. */
export function registerLiveWrites(fastify: FastifyInstance, { all }: Models): void {
  const sharedTypes = new Set(all.filter(({ has_mode }) => !has_mode).map(({ type }) => type));
  sharedTypes.delete(OWN_RULE);
  fastify.addHook(
    'onRequest',
    createSyncHook(({ caller, method, routeOptions }) => {
      if (!caller || !('person' in caller) || method === 'GET' || method === 'HEAD') return;
      const [, , type = ''] = routeOptions.url?.split('/') ?? [];
      if (sharedTypes.has(type)) requireLive(caller);
    }),
  );
}

/** Requires a recent sign-in for writes that change permissions. Applies to people, not to keys. */
export function registerFreshWrites(fastify: FastifyInstance, clock: Clock): void {
  fastify.addHook(
    'onRequest',
    createSyncHook(({ caller, method, routeOptions }) => {
      if (!caller || !('person' in caller) || method === 'GET' || method === 'HEAD') return;
      if (!GUARDED.test(routeOptions.url ?? '')) return;
      if (!isFreshAt(caller.person.session, clock.now())) throw notFresh();
    }),
  );
}
