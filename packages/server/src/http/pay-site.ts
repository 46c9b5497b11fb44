import {
  FORM_PARAMETER,
  type FrameConfig,
  ISOLATED_PARAMETER,
  LOCALE_PARAMETER,
  type ThreeDSecureConfig,
  type VerifyAnswer,
} from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { acsOrigin } from '../config/config.ts';
import { createBillingAddresses } from '../features/hosted/billing-address.ts';
import { findMounted } from '../features/hosted/mounted.ts';
import type { Sessions } from '../features/hosted/session.ts';
import { paymentStatus } from '../features/hosted/status.ts';
import { createFingerprintTries, createTries } from '../features/hosted/tries.ts';
import { verifyCard } from '../features/hosted/verify.ts';
import type { Services } from '../features/services.ts';
import { openChallenge } from '../features/threeds/answer.ts';
import type { ThreeDSecure } from '../features/threeds/threeds.ts';
import { formErrorPage } from '../hosted/form-error-page.ts';
import type { Embedding } from '../hosted/form-headers.ts';
import { type FormLocale, pickLocale } from '../hosted/form-locale.ts';
import { formPage } from '../hosted/form-page.ts';
import type { Page } from '../hosted/page.ts';
import { isTimezone } from '../jsonapi/values/timezone.ts';
import { isUuid } from '../kernel/ids.ts';
import type { Scope } from '../store/scope.ts';
import { type Assets, registerAssets } from './assets.ts';
import type { Authenticator } from './authenticate.ts';
import { billingAddressOf } from './billing-address.ts';
import { registerRawCardChecks } from './entry-checks.ts';
import { challengeCalls, registerPayThreeDSecure } from './pay-threeds.ts';
import { browserHeaders, verifyRequest } from './verify-request.ts';

export interface PaySiteOptions {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly authenticator: Authenticator;
  readonly assets: Assets;
  readonly threeds: ThreeDSecure;
}

/** The origin of the hosted form: its page, its script, and the calls the form makes. */
export function registerPaySite(fastify: FastifyInstance, options: PaySiteOptions): void {
  const { services, sessions, threeds, assets } = options;
  const mayTry = createTries(services.clock);
  const putBillingAddress = createBillingAddresses(services);
  registerRawCardChecks(fastify);
  registerAssets(fastify, assets);
  registerPayThreeDSecure(fastify, {
    threeds,
    sessions,
    sessionOver,
    mayLook: createFingerprintTries(services.clock),
  });
  fastify.get<{ Params: { id: string }; Querystring: Readonly<Record<string, unknown>> }>(
    '/pay/:id',
    async (request, reply) => {
      const { key, [LOCALE_PARAMETER]: wanted, [FORM_PARAMETER]: form } = request.query;
      const accepted = request.headers['accept-language'] ?? '';
      const locale = pickLocale(assets.locales, textOf(wanted), accepted);
      const page_assets = assets.forms[form === 'embedded' ? form : 'inputs'];
      const config = await openForm(options, request.params.id, textOf(key), locale);
      return sendPage(
        reply,
        config
          ? formPage(config, page_assets, embeddingOf(options, config, request.query))
          : formErrorPage(page_assets.style, locale),
      );
    },
  );
  fastify.post('/frame/v1/verify', async (request, reply) => {
    const body = verifyRequest(request.body);
    const session = body && sessions.read(body.session, services.clock.now());
    if (!body || !session) return reply.status(422).send(sessionOver);
    if (!isTimezone(body.timezone)) return reply.status(422).send(unknownTimezone);
    if (!mayTry(session)) return reply.status(429).send(tooManyTries);
    const address = billingAddressOf(request.body);
    const fits = address !== 'invalid' && (!address || (await putBillingAddress(session, address)));
    if (!fits) return reply.status(422).send(invalidAddress);
    return verifyCard(threeds, session, body, browserHeaders(request));
  });
  fastify.get<{ Querystring: { session?: unknown } }>(
    '/frame/v1/status',
    async (request, reply) => {
      const session = sessions.read(textOf(request.query.session), services.clock.now());
      if (!session) return reply.status(422).send(sessionOver);
      return paymentStatus(services, session);
    },
  );
}

/** A parameter that is there once; one that is repeated is a list, and counts as missing. */
const textOf = (parameter: unknown): string => (typeof parameter === 'string' ? parameter : '');

const refusal = (code: string, message: string): VerifyAnswer => ({
  result: 'error',
  detail: { code, message },
});

const sessionOver = refusal('session_over', 'The form was open for too long. Reload the page.');
const unknownTimezone = refusal(
  'unknown_timezone',
  'The time zone of this device is not known. Check its settings and try again.',
);
const invalidAddress = refusal('invalid_address', 'Check the billing address.');
const tooManyTries = refusal(
  'too_many_tries',
  'Too many cards were tried for this payment. Ask the shop for another way to pay.',
);

const sendPage = (reply: FastifyReply, { status, headers, html }: Page): FastifyReply =>
  reply.status(status).headers(headers).send(html);

/** Banks may be anywhere; the simulated one is on this machine, where there is no https. */
const embeddingOf = (
  { services }: PaySiteOptions,
  { mode }: FrameConfig,
  query: Readonly<Record<string, unknown>>,
): Embedding => ({
  isolated: query[ISOLATED_PARAMETER] === 'true',
  frames: `'self' https:${mode === 'sandbox' ? ` ${acsOrigin(services.config)}` : ''}`,
});

async function threedsConfig(
  threeds: ThreeDSecure,
  scope: Scope,
  payment_id: string,
): Promise<ThreeDSecureConfig> {
  const waiting = await openChallenge(threeds, scope, payment_id);
  return {
    fingerprint_url: challengeCalls.fingerprint,
    challenge_url: challengeCalls.challenge,
    cancel_url: challengeCalls.cancel,
    fingerprint_limit_ms: threeds.services.config.fingerprint_limit_ms,
    ...(waiting && { waiting }),
  };
}

/** What the form needs to know, or undefined where the key or the payment is not known. */
async function openForm(
  { services, sessions, authenticator, threeds }: PaySiteOptions,
  payment_id: string,
  key: string,
  locale: FormLocale,
): Promise<FrameConfig | undefined> {
  const caller = await authenticator.byKey(key);
  if (caller?.context !== 'browser' || !isUuid(payment_id)) return undefined;
  const now = services.clock.now();
  const { scope, settings } = caller;
  const token = sessions.open({ scope, payment_id, threeds: settings.threeds }, now);
  const mounted = await findMounted(services.db, caller.scope, payment_id);
  const keys = await services.relay.keys();
  const sealing_key = keys.find(({ mode }) => mode === caller.scope.mode);
  if (!mounted || !sealing_key) return undefined;
  return {
    session: token,
    payment_id,
    issued_at: Math.floor(now / 1_000_000),
    amount: mounted.row.amount_cents as string,
    currency: mounted.row.amount_currency as string,
    mode: caller.scope.mode,
    origins: [],
    sealing_key,
    verify_url: '/frame/v1/verify',
    status_url: '/frame/v1/status',
    ...(settings.threeds !== 'off' && { threeds: await threedsConfig(threeds, scope, payment_id) }),
    locale: locale.tag,
    texts: locale.texts,
  };
}
