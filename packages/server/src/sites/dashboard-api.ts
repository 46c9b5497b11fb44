import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { FormTokens } from '../features/checkout/form-tokens.ts';
import { registerMerchants } from '../features/onboarding/routes/merchants.ts';
import { registerOperator } from '../features/operations/routes/operator.ts';
import { OPERATOR_PATH } from '../features/operations/routes/operator-action.ts';
import { namedInHeaders } from '../features/people/access/member-admission.ts';
import { createDevices } from '../features/people/accounts/devices.ts';
import { createPasskeys } from '../features/people/accounts/passkeys.ts';
import { createPasswords } from '../features/people/accounts/passwords.ts';
import { createSecondFactors } from '../features/people/accounts/second-factor.ts';
import type { Sessions } from '../features/people/accounts/sessions.ts';
import { registerDashboardApi } from '../features/people/dashboard/api.ts';
import { type Actor, registerAuditLog } from '../features/people/dashboard/audit-log.ts';
import { createLimitedReport } from '../features/people/dashboard/limited-sign-ins.ts';
import { registerAccount } from '../features/people/routes/account.ts';
import { registerAccountLinks } from '../features/people/routes/links.ts';
import { registerMailbox } from '../features/people/routes/mailbox.ts';
import { registerMe } from '../features/people/routes/me.ts';
import { registerRegistration } from '../features/people/routes/registration.ts';
import { registerSecondFactors } from '../features/people/routes/second-factors.ts';
import { registerSession } from '../features/people/routes/session.ts';
import type { Reader } from '../jsonapi/reading/read.ts';
import { isUuid } from '../platform/ids.ts';
import type { Services } from '../services.ts';
import { registerMerchantSite } from './merchant-site.ts';

export interface DashboardOptions {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly reader: Reader;
  readonly form_tokens: FormTokens;
  readonly metrics: Registry;
}

/** Registers the dashboard's own endpoints, which are not part of the API. */
export function registerDashboardSite(
  fastify: FastifyInstance,
  { services, sessions, reader, form_tokens, metrics }: DashboardOptions,
): void {
  const { db, global, system_clock, config } = services;
  const ofPeople = { ...services, db: global };
  // Hashes subjects of sign-in attempts and contents of requests.
  const signer = services.access_signer;
  const { public_url, monotonic_ms } = config;
  registerDashboardApi(fastify, { sessions, public_url, monotonic_ms });
  const audit = registerAuditLog(fastify, { db, clock: system_clock, actorOf, monotonic_ms });
  const passwords = createPasswords({ db: global, clock: system_clock, signer, config });
  const factors = createSecondFactors(ofPeople, { signer });
  const passkeys = createPasskeys(ofPeople, factors);
  const known = { devices: createDevices(signer), public_url };
  const reportLimited = createLimitedReport(metrics);
  const people = { services: ofPeople, sessions, passwords, factors, passkeys };
  const dependencies = { ...people, audit, known, reportLimited };
  registerSession(fastify, dependencies);
  registerAccount(fastify, dependencies);
  registerSecondFactors(fastify, dependencies);
  registerAccountLinks(fastify, { ...dependencies, services });
  registerRegistration(fastify, ofPeople);
  registerMailbox(fastify, services);
  registerMe(fastify, services, sessions);
  registerMerchants(fastify, services, signer);
  registerMerchantSite(fastify, services, { reader, signer, form_tokens });
  fastify.register(async (scoped) => registerOperator(scoped, services));
}

/**
 * The signed-in person. The address or the headers of the request name the merchant. Operators' actions are
 * in `oversight_entries`, which members cannot read.
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
