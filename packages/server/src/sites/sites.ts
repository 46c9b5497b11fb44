import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { Registry } from 'prom-client';
import { ownUrl, servesDemoShop, signInRules } from '../config/config.ts';
import { registerStopped } from '../features/cell-moves/refuse-stopped.ts';
import { loadAssets } from '../features/checkout/assets.ts';
import { createRefusalReport } from '../features/checkout/card-testing-alert.ts';
import { createFormTokens } from '../features/checkout/form-tokens.ts';
import { registerPaySite } from '../features/checkout/routes/site.ts';
import { createMountSessions } from '../features/checkout/session.ts';
import { registerThreeDSecureResults } from '../features/checkout/threeds/routes/results.ts';
import { createThreeDSecure } from '../features/checkout/threeds/threeds.ts';
import { createTries, type Tries } from '../features/checkout/tries.ts';
import { registerCustomerSite } from '../features/customer-page/routes/site.ts';
import type { Credentials } from '../features/demo/credentials.ts';
import { registerHome } from '../features/demo/home-site.ts';
import { registerShop } from '../features/demo/shop/site.ts';
import { registerDocs } from '../features/docs/site.ts';
import { computedColumnsOf, createBehaviours } from '../features/index.ts';
import { createAuthenticator } from '../features/merchants/authenticate.ts';
import { createKeyUses } from '../features/merchants/key-uses.ts';
import { createCheckouts } from '../features/payment-links/checkout.ts';
import { registerLinks } from '../features/payment-links/routes/site.ts';
import { createStarts } from '../features/payment-links/starts.ts';
import { createFindMember } from '../features/people/access/member-admission.ts';
import { withAccountCopies } from '../features/people/accounts/account-copies.ts';
import {
  createSessions as createSignIns,
  type Sessions,
} from '../features/people/accounts/sessions.ts';
import { registerNotifications } from '../features/processor-notifications/routes.ts';
import { isAnsweredWhileClosed, isFormFile, registerClosed } from '../http/health/closed.ts';
import { type Health, registerHealth } from '../http/health/health.ts';
import { registerPolicyReports } from '../http/policy-reports.ts';
import { registerPrivatePaths } from '../http/private-paths.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import { rewritePath } from '../http/rewrite.ts';
import type { Site } from '../http/server.ts';
import { createSite, knownApiError } from '../http/site.ts';
import { createReader, type Reader } from '../jsonapi/reading/read.ts';
import { orderOfIndexes } from '../jsonapi/schema/indexes.ts';
import { createSigner } from '../platform/crypto/signer.ts';
import { readIndexes } from '../platform/database/schema/actual.ts';
import type { Services } from '../services.ts';
import { registerApi } from './api-site.ts';
import { registerDashboardSite } from './dashboard-api.ts';
import { registerDashboard } from './dashboard-site.ts';
import { featureHealthOf } from './feature-health.ts';

/** Sites and health of a process. */
export interface Sites {
  readonly sites: readonly Site[];
  readonly health: Health;
}

/** Creates this process's sites: one for the hosted form, one for the API, the dashboard and the rest. */
export async function createSites(
  services: Services,
  credentials: Credentials | undefined,
  metrics: Registry,
): Promise<Sites> {
  const { db, clock, system_clock, config, logger, models } = services;
  const keyUses = createKeyUses({ db, clock, logger, monotonic_ms: config.monotonic_ms });
  const authenticator = createAuthenticator(services.callers, clock, keyUses);
  const assets = loadAssets();

  const { public_url: base_url } = config;
  const limits = createRateLimits(config);
  const pay = createPaySite(services);
  const { instance_secrets } = services;
  const sessions = createMountSessions(instance_secrets.ringOf('mount_sessions'));
  const threeds = createThreeDSecure(services);
  const tries = createTriesOf(services, metrics);
  const form_tokens = createFormTokens(instance_secrets.ringOf('form_grants'), system_clock);
  const pay_options = { services, sessions, authenticator, form_tokens, assets, threeds, tries };
  registerPaySite(pay, { ...pay_options, limits });
  await pay.register((scoped) => registerCustomerSite(scoped, { services, form_tokens }));
  const signer = createSigner(instance_secrets.ringOf('payment_links'));
  await pay.register(async (scoped) =>
    registerLinks(scoped, {
      services,
      checkouts: createCheckouts(services, createBehaviours(services)),
      countStart: createStarts({ db, clock, signer }),
      form_tokens,
      signer,
      locales: assets.locales,
    }),
  );

  const api = createApiSite(services);
  api.addHook('onClose', () => keyUses.close());
  registerPolicyReports(pay, { logger, metrics, monotonic_ms: config.monotonic_ms });
  const health = registerHealth(api, services, metrics, featureHealthOf(services), limits);
  const { monotonic_ms } = config;
  registerThreeDSecureResults(api, { threeds, metrics, monotonic_ms });
  registerNotifications(api, services);
  if (credentials && servesDemoShop(config)) {
    registerShop(api, {
      credentials,
      interface_url: ownUrl(config),
      pay_url: config.pay_url,
      signer: createSigner(instance_secrets.ringOf('shop_orders')),
      monotonic_ms: config.monotonic_ms,
    });
  }
  const reader = await createReaderOf(services);
  registerHome(api, config);
  registerDashboard(api, { pay_url: config.pay_url, assets });
  registerDocs(api, { models, base_url: config.public_url, limits });
  const signIns = createSignInsOf(services);
  const dashboardOptions = { services, sessions: signIns, reader, form_tokens, metrics };
  await api.register(async (scoped) => registerDashboardSite(scoped, dashboardOptions));
  const memberOptions = { db, clock, limits, public_url: base_url };
  const findMember = createFindMember({ ...memberOptions, sessions: signIns });
  await api.register(async (scoped) =>
    registerApi(scoped, { services, reader, authenticator, limits, findMember, metrics }),
  );

  const payHost = new URL(config.pay_url).hostname;
  return {
    health,
    sites: [
      { fastify: pay, serves: (host) => host === payHost },
      { fastify: api, serves: () => true },
    ],
  };
}

const createSignInsOf = (services: Services): Sessions => {
  const { global, clock, config } = services;
  const signIns = createSignIns({ db: global, clock, ...signInRules(config) });
  return withAccountCopies(services, signIns);
};

const createTriesOf = (services: Services, metrics: Registry): Tries =>
  createTries({
    db: services.db,
    clock: services.clock,
    monotonic_ms: services.config.monotonic_ms,
    key: services.instance_secrets.ringOf('card_tries'),
    onRefused: createRefusalReport(services, metrics),
  });

function createPaySite(services: Services) {
  const { logger, access_logger, config, restore_gate } = services;
  const { public_url: base_url, trusted_proxies, access_log } = config;
  const accessLog = { access_log, access_logger };
  const people = { audience: 'payers', hasOutagePage: true } as const;
  const pay = createSite(logger, { base_url, trusted_proxies, ...accessLog, ...people });
  registerClosed(pay, restore_gate, isFormFile);
  registerStopped(pay, services);
  return pay;
}

function createApiSite(services: Services) {
  const { logger, access_logger, config, restore_gate } = services;
  const api = createSite(logger, {
    rewriteUrl: (url) => rewritePath(url, { isType, isRelation }),
    base_url: config.public_url,
    translate: knownApiError,
    trusted_proxies: config.trusted_proxies,
    access_log: config.access_log,
    access_logger,
  });
  registerPrivatePaths(api, config);
  registerClosed(api, restore_gate, isAnsweredWhileClosed);
  registerStopped(api, services);
  return api;
}

const createReaderOf = async (services: Services): Promise<Reader> => {
  const { db, reads, models, sealer, config } = services;
  return createReader({
    db: reads,
    models,
    sealer,
    computed: computedColumnsOf(services),
    cursor_key: services.instance_secrets.ringOf('cursors'),
    described_by: `${config.public_url}/v2/openapi.json`,
    list_limits: { hasOrder: orderOfIndexes(await readIndexes(db)) },
  });
};

const types: Readonly<Record<string, Resource>> = resources;

const isType = (segment: string): boolean => Object.hasOwn(types, segment);

function isRelation(type: string, name: string): boolean {
  const { relations = {}, actions = {} } = isType(type) ? (types[type] as Resource) : {};
  return Object.hasOwn(relations, name) && !Object.hasOwn(actions, name);
}
