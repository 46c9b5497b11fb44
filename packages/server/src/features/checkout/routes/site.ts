import { ProblemError } from '@florin/contract/errors.ts';
import { amountText } from '@florin/contract/money.ts';
import {
  type BillingAddress,
  FORM_PARAMETER,
  type FormFactor,
  type FrameConfig,
  ISOLATED_PARAMETER,
  LOCALE_PARAMETER,
  type ThreeDSecureConfig,
  type VerifyAnswer,
  type WalletName,
  walletParameters,
} from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acsOrigin } from '../../../config/config.ts';
import { registerRawCardChecks } from '../../../http/entry-checks.ts';
import { createSyncHook } from '../../../http/hook.ts';
import type { EmbeddingOptions } from '../../../http/pages/form-headers.ts';
import { type FormLocale, pickLocale } from '../../../http/pages/form-locale.ts';
import type { RateLimits } from '../../../http/rate-limit.ts';
import { sendPage } from '../../../http/send-page.ts';
import { isTimezone } from '../../../jsonapi/values/timezone.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { hasPostalForm } from '../../customers/postal-codes.ts';
import type { Authenticator } from '../../merchants/authenticate.ts';
import { findClosedReason } from '../../merchants/status-checks.ts';
import { perTimeline } from '../../timelines/per-timeline.ts';
import { type Assets, registerAssets } from '../assets.ts';
import { createBillingAddresses } from '../billing-address.ts';
import type { FormTokens } from '../form-tokens.ts';
import { findMounted } from '../mounted.ts';
import { type FormAssets, renderFormPage } from '../pages/form-page.ts';
import type { MountSessions } from '../session.ts';
import { readPaymentStatus } from '../status.ts';
import { findOpenChallenge } from '../threeds/answer.ts';
import { challengeCalls, registerPayThreeDSecure } from '../threeds/routes/pay-threeds.ts';
import type { ThreeDSecure } from '../threeds/threeds.ts';
import type { Tries } from '../tries.ts';
import { verifyCard } from '../verify.ts';
import { offerWallets, type RequestedWallets, walletNames } from '../wallets.ts';
import { ABANDON_URL, registerPayAbandon } from './abandon.ts';
import { billingAddressOf } from './billing-address.ts';
import { type ClosedForm, renderClosedForm } from './closed-form.ts';
import { checkFormAccess } from './form-access.ts';
import { readFormSession, senderOf } from './form-session.ts';
import { registerStates } from './states.ts';
import { browserHeaders, parseVerifyRequest, parseWalletRequest } from './verify-request.ts';
import { withinLimits } from './within-limits.ts';

export interface PaySiteOptions {
  readonly services: Services;
  readonly sessions: MountSessions;
  readonly authenticator: Authenticator;
  readonly form_tokens: FormTokens;
  readonly assets: Assets;
  readonly threeds: ThreeDSecure;
  readonly tries: Tries;
  readonly limits: Pick<RateLimits, 'countForm' | 'countFormCall'>;
}

/** Registers the form's origin: page, script and API calls of the form. */
export function registerPaySite(fastify: FastifyInstance, options: PaySiteOptions): void {
  const { services, sessions, threeds, tries, assets } = options;
  const billingAddressesAt = perTimeline(createBillingAddresses);
  registerRawCardChecks(fastify);
  registerCallLimit(fastify, options.limits);
  registerAssets(fastify, assets);
  registerStates(fastify);
  const { locales } = assets;
  registerPayThreeDSecure(fastify, { threeds, sessions, sessionOverAnswer, tries, locales });
  registerPayAbandon(fastify, { threeds, sessions, tries, sessionOverAnswer });
  fastify.get<{ Params: { id: string }; Querystring: Readonly<Record<string, unknown>> }>(
    '/pay/:id',
    async (request, reply) => {
      const { key, [LOCALE_PARAMETER]: localeTag, [FORM_PARAMETER]: formKind } = request.query;
      const acceptLanguage = request.headers['accept-language'] ?? '';
      const locale = pickLocale(locales, textOf(localeTag), acceptLanguage);
      const factor: FormFactor = formKind === 'embedded' ? formKind : 'inputs';
      const wallets = { names: walletsIn(request.query), billing_address: formKind === 'embedded' };
      const config =
        findRefusal(options.limits, request, reply) ??
        (await openForm(options, request.params.id, textOf(key), locale, wallets));
      if (typeof config === 'string')
        return sendPage(reply, renderClosedForm(closedAssets(assets, factor), locale, config));
      const form_assets =
        assets.forms[wallets.names.length > 0 ? (`${factor}-wallets` as const) : factor];
      return sendPage(
        reply,
        renderFormPage(config, form_assets, embeddingOf(options, config, request.query)),
      );
    },
  );
  const createVerifyHandler =
    (parse: typeof parseVerifyRequest | typeof parseWalletRequest) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const body = parse(request.body);
      const mountedSession = body && (await readFormSession(sessions, threeds, body.session));
      if (!body || !mountedSession) return reply.status(422).send(sessionOverAnswer);
      const { session } = mountedSession;
      request.sender = senderOf(session);
      if (!isTimezone(body.timezone)) return reply.status(422).send(unknownTimezoneAnswer);
      return withinLimits(reply, async () => {
        const sealed = 'wallet' in body ? [body.token] : [body.pan_jwe, body.cvv_jwe];
        const attempt = await tries.enter({ session, sealed, ip: request.ip });
        const putAddress = billingAddressesAt(mountedSession.threeds.services);
        const refusal = await storeAddress(request.body, (address) => putAddress(session, address));
        if (refusal) return reply.status(422).send(refusal);
        return verifyCard(
          mountedSession.threeds,
          { session, headers: browserHeaders(request), cardAttempt: attempt },
          body,
        );
      });
    };
  fastify.post('/frame/v1/verify', createVerifyHandler(parseVerifyRequest));
  fastify.post(WALLET_URL, createVerifyHandler(parseWalletRequest));
  fastify.get<{ Querystring: { session?: unknown } }>(
    '/frame/v1/status',
    async (request, reply) => {
      const mountedForm = await readFormSession(sessions, threeds, textOf(request.query.session));
      if (!mountedForm) return reply.status(422).send(sessionOverAnswer);
      request.sender = senderOf(mountedForm.session);
      return readPaymentStatus(services, mountedForm.session);
    },
  );
}

/** Limits the calls of forms, which all read the database. */
const registerCallLimit = (
  fastify: FastifyInstance,
  limits: Pick<RateLimits, 'countFormCall'>,
): void => {
  fastify.addHook(
    'onRequest',
    createSyncHook(({ routeOptions: { url = '' }, ip }, reply) => {
      if (url.startsWith('/frame/v1/')) limits.countFormCall(reply, ip);
    }),
  );
};

/** Refusal of an address that opened too many forms. Sets `Retry-After`, for the page that says so. */
function findRefusal(
  limits: Pick<RateLimits, 'countForm'>,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): ClosedForm | undefined {
  try {
    limits.countForm(reply, ip);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    reply.headers(error.headers);
    return 'rate_limited';
  }
}

const closedAssets = ({ forms, closed_form }: Assets, factor: FormFactor): FormAssets => ({
  ...forms[factor],
  ...closed_form,
});

/** A query parameter. A repeated parameter is a list and counts as missing. */
const textOf = (parameter: unknown): string => (typeof parameter === 'string' ? parameter : '');

const refusalOf = (code: string, message: string, field?: keyof BillingAddress): VerifyAnswer => ({
  result: 'error',
  detail: { code, message, ...(field && { field }) },
});

const sessionOverAnswer = refusalOf(
  'session_over',
  'The form was open for too long. Reload the page.',
);
const unknownTimezoneAnswer = refusalOf(
  'unknown_timezone',
  'The time zone of this device is unknown. Check its settings and try again.',
);
const ADDRESS_MESSAGE = 'Check the billing address.';
const invalidAddressAnswer = refusalOf('invalid_address', ADDRESS_MESSAGE);
const invalidStateAnswer = refusalOf('invalid_address', ADDRESS_MESSAGE, 'state');
const invalidZipAnswer = refusalOf('invalid_address', ADDRESS_MESSAGE, 'zip');

/** Stores the address of a request. Returns the answer if the cardholder must change it. */
async function storeAddress(
  body: unknown,
  put: (address: BillingAddress) => Promise<boolean>,
): Promise<VerifyAnswer | undefined> {
  const address = billingAddressOf(body);
  if (!address) return undefined;
  if (address === 'invalid') return invalidAddressAnswer;
  // A wallet checked its address, and may shorten the postal code.
  const isTyped = !('wallet' in (body as object));
  if (isTyped && !hasPostalForm(address.country, address.zip)) return invalidZipAnswer;
  return (await put(address)) ? undefined : invalidStateAnswer;
}

/**
 * Frame options of the form. Issuers may use any https origin; the simulated issuer is local,
 * without https.
 */
const embeddingOf = (
  { services }: PaySiteOptions,
  { mode, wallets }: FrameConfig,
  query: Readonly<Record<string, unknown>>,
): EmbeddingOptions => ({
  isIsolated: query[ISOLATED_PARAMETER] === 'true',
  frames: ["'self' https:", ...(mode === 'sandbox' ? [acsOrigin(services.config)] : [])].join(' '),
  hasGooglePay: wallets?.google_pay !== undefined && 'request' in wallets.google_pay,
});

const WALLET_URL = '/frame/v1/wallet';

const walletsIn = (query: Readonly<Record<string, unknown>>): WalletName[] =>
  walletNames.filter((name) => query[walletParameters[name]] === 'true');

async function threedsConfig(
  threeds: ThreeDSecure,
  scope: Scope,
  payment_id: string,
): Promise<ThreeDSecureConfig> {
  const challenge = await findOpenChallenge(threeds, scope, payment_id);
  return {
    fingerprint_url: challengeCalls.fingerprint,
    challenge_url: challengeCalls.challenge,
    cancel_url: challengeCalls.cancel,
    fingerprint_limit_ms: threeds.services.config.fingerprint_limit_ms,
    appear_limit_ms: threeds.services.config.appear_limit_ms,
    ...(challenge && { waiting: challenge }),
  };
}

/** Configuration of the form, or the reason why the frame shows none. */
async function openForm(
  options: PaySiteOptions,
  payment_id: string,
  key: string,
  locale: FormLocale,
  requestedWallets: RequestedWallets,
): Promise<FrameConfig | ClosedForm> {
  const { services, sessions, threeds } = options;
  const access = await checkFormAccess(options, key, payment_id);
  if (!access) return 'unknown_key';
  const closedReason = findClosedReason(services, access.scope, access);
  if (closedReason) return closedReason;
  if (!isUuid(payment_id)) return 'unknown_payment';
  const { scope, origins, merchant_status: _, ...mount } = access;
  const sessionText = sessions.open({ scope, payment_id, ...mount }, services.system_clock.now());
  const mountedRecord = await findMounted(services.db, scope, payment_id);
  const keys = await services.relay.keys();
  const sealing_key = keys.find(({ mode }) => mode === scope.mode);
  if (!mountedRecord || !sealing_key) return 'unknown_payment';
  const wallets = await offerWallets(services, scope, mountedRecord.row, requestedWallets);
  const amount = mountedRecord.row.amount_cents as string;
  const currency = mountedRecord.row.amount_currency as string;
  return {
    session: sessionText,
    payment_id,
    issued_at: Math.floor(services.clock.now() / 1_000_000),
    amount,
    currency,
    amount_text: amountText(amount, currency, locale.tag),
    mode: scope.mode,
    origins,
    sealing_key,
    verify_url: '/frame/v1/verify',
    status_url: '/frame/v1/status',
    abandon_url: ABANDON_URL,
    ...(mount.threeds !== 'off' && { threeds: await threedsConfig(threeds, scope, payment_id) }),
    ...(wallets && { wallets: { verify_url: WALLET_URL, ...wallets } }),
    locale: locale.tag,
    texts: mount.customer_links_epoch === undefined ? locale.texts : withoutPrice(locale),
  };
}

/** Texts without a price, for a card that is only attached to a subscription. */
const withoutPrice = ({ texts }: FormLocale): FormLocale['texts'] => ({
  ...texts,
  heading: texts.title ?? '',
});
