import type { FastifyInstance } from 'fastify';
import { createSyncHook } from '../../../http/hook.ts';
import type { Model, Models } from '../../../jsonapi/model.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { isFreshAt } from '../accounts/sessions.ts';
import { requireLiveRights } from '../memberships/decide.ts';
import { notFresh } from './api.ts';

/**
 * Resource types whose writes need a recent sign-in, each with what a thief of a session could gain. Routes of the
 * dashboard have the option `fresh` instead. Refunds are not listed: they pay only the card that paid.
 */
export const guardedTypes: Readonly<Record<string, string>> = {
  memberships: 'rights for an account of the thief',
  merchant_tokens: 'a key that outlives the session',
  webhook_subscriptions: "a copy of the merchant's events, and the secret that signs them",
};

/** Resource types with their own rules for callers without live mode. */
const OWN_RULES = ['memberships', 'merchants'];

/** Refuses writes of sandbox keys and sandbox memberships to records that live mode shares. */
export function registerLiveWrites(fastify: FastifyInstance, { all }: Models): void {
  const shared = all.filter((model) => !model.has_mode && isWritable(model));
  const sharedTypes = new Set(shared.map(({ type }) => type));
  for (const type of OWN_RULES) sharedTypes.delete(type);
  fastify.addHook(
    'onRequest',
    createSyncHook(({ caller, method, routeOptions }) => {
      if (!caller || method === 'GET' || method === 'HEAD') return;
      const [, , type = ''] = routeOptions.url?.split('/') ?? [];
      if (sharedTypes.has(type)) requireLiveRights(caller);
    }),
  );
}

const isWritable = ({ resource: { operations, actions } }: Model): boolean =>
  actions !== undefined || operations.includes('create') || operations.includes('update');

/** Requires a recent sign-in for writes that change permissions. Applies to people, not to keys. */
export function registerFreshWrites(fastify: FastifyInstance, clock: Clock): void {
  fastify.addHook(
    'onRequest',
    createSyncHook(({ caller, method, routeOptions }) => {
      if (!caller || !('person' in caller) || method === 'GET' || method === 'HEAD') return;
      const [, , type = ''] = routeOptions.url?.split('/') ?? [];
      if (!Object.hasOwn(guardedTypes, type)) return;
      if (!isFreshAt(caller.person.session, clock.now())) throw notFresh();
    }),
  );
}
