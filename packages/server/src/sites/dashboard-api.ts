import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerMerchants } from '../features/onboarding/routes/merchants.ts';
import { registerOperator } from '../features/operations/routes/operator.ts';
import { OPERATOR_PATH } from '../features/operations/routes/order.ts';
import { namedInHeaders } from '../features/people/access/member-admission.ts';
import { createPasskeys } from '../features/people/accounts/passkeys.ts';
import { createPasswords } from '../features/people/accounts/passwords.ts';
import { createSecondFactors } from '../features/people/accounts/second-factor.ts';
import type { Sessions } from '../features/people/accounts/sessions.ts';
import { registerDashboardApi } from '../features/people/dashboard/api.ts';
import { type Actor, registerAuditLog } from '../features/people/dashboard/audit-log.ts';
import { registerAccount } from '../features/people/routes/account.ts';
import { registerLinks } from '../features/people/routes/links.ts';
import { registerMailbox } from '../features/people/routes/mailbox.ts';
import { registerMe } from '../features/people/routes/me.ts';
import { registerRegistration } from '../features/people/routes/registration.ts';
import { registerSecondFactors } from '../features/people/routes/second-factors.ts';
import { registerSession } from '../features/people/routes/session.ts';
import type { Reader } from '../jsonapi/read.ts';
import type { Signer } from '../platform/crypto/signer.ts';
import { isUuid } from '../platform/ids.ts';
import type { Services } from '../services.ts';
import { registerMerchantSite } from './merchant-site.ts';

export interface DashboardOptions {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly reader: Reader;
  /** Hashes what tries to sign in are counted by, and what requests ask for. */
  readonly signer: Signer;
}

/** What the dashboard asks for that the interface has no place for. */
export function registerDashboardSite(
  fastify: FastifyInstance,
  { services, sessions, reader, signer }: DashboardOptions,
): void {
  const { db, machine, config } = services;
  const { public_url, monotonic_ms } = config;
  registerDashboardApi(fastify, { sessions, public_url, monotonic_ms });
  const audit = registerAuditLog(fastify, { db, clock: machine, actorOf });
  const passwords = createPasswords({ db, clock: machine, signer });
  const factors = createSecondFactors(services, { signer });
  const passkeys = createPasskeys(services, factors);
  const parts = { services, sessions, passwords, factors, passkeys, audit };
  registerSession(fastify, parts);
  registerAccount(fastify, parts);
  registerSecondFactors(fastify, parts);
  registerLinks(fastify, parts);
  registerRegistration(fastify, services);
  registerMailbox(fastify, services);
  registerMe(fastify, services);
  registerMerchants(fastify, services, signer);
  registerMerchantSite(fastify, services, { reader, signer });
  fastify.register(async (scoped) => registerOperator(scoped, services));
}

/**
 * Whoever has signed in; the merchant is the one that the request names, in its address or its headers. What operators do
 * is in a log of their own (`oversight_entries`), which the merchant's members do not read.
 */
function actorOf(request: FastifyRequest): Actor | undefined {
  const { person, params, routeOptions } = request;
  if (!person) return undefined;
  const account_id = person.account.id;
  if (routeOptions.url?.startsWith(`${OPERATOR_PATH}/`)) return { account_id };
  const { merchant } = params as { readonly merchant?: string };
  return merchant !== undefined && isUuid(merchant)
    ? { account_id, merchant_id: merchant }
    : { account_id, ...namedInHeaders(request) };
}
