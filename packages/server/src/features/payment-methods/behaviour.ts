import { EXPIRY_MONTHS_AHEAD_MAX, expiryOk } from '@florin/contract/card/expiry.ts';
import { problem } from '@florin/contract/errors.ts';
import type { CardDescription, VaultError } from '@florin/contract/protocol/vault.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { createCreator } from '../records/creator.ts';
import { eventAbout } from '../records/emit.ts';
import { referencesOf, updaterOf } from '../records/plain.ts';
import { authenticateCard } from './authenticate.ts';
import { requireOneCard, TEST_NETWORK_TOKEN_PREFIX } from './decide-source.ts';
import { discardPaymentMethod } from './discard.ts';
import { retainCard, unusableProblem } from './keep-card.ts';
import { isGivenUp } from './sql.ts';
import { verifiedAs } from './verified-as.ts';

/** Prefixes of sandbox test tokens, for tests without a browser. */
const TEST_TOKEN_PREFIXES = ['pan_test_', TEST_NETWORK_TOKEN_PREFIX];
const SANDBOX_ONLY =
  'Test card tokens such as pan_test_visa work with sandbox keys only. With a live key, send a token of the browser SDK.';

/**
 * `POST /v2/payment_methods` with the browser SDK's tokens, a sandbox test token or a merchant's
 * network token, and the action `discard`.
 */
export function paymentMethodBehaviour(services: Services, model: Model): Behaviour {
  const create = createCreator(services, 'payment_methods');
  const update = updaterOf(services, model);
  return {
    async create(ctx, { attributes }, record) {
      requireOneCard(attributes);
      const card = await cardOf(services, ctx, record, attributes.network_token_jwe);
      if (await isGivenUp(services.db, ctx.scope, card.card_pan_token)) throw unusableProblem();
      const verified = await verifiedColumns(services, ctx, card, isTestToken(record));
      await retainCard(services, ctx.scope, card.card_pan_token);
      const row = { ...record, ...cardColumns(card), ...verified };
      const events = [eventAbout(model, row, 'created', ctx.now())];
      const item = { row, events, idempotency: ctx.idempotency };
      return create({ record: item, references: referencesOf(model, row) });
    },
    actions: { discard: (ctx, id) => discardPaymentMethod(services, update, ctx, id) },
  };
}

const isTestToken = (record: Row): boolean =>
  TEST_TOKEN_PREFIXES.some((prefix) => record.card_pan_token?.startsWith(prefix));

async function cardOf(
  services: Services,
  ctx: RequestContext,
  record: Row,
  network_token_jwe: unknown,
): Promise<CardDescription> {
  if (typeof network_token_jwe === 'string')
    return ingestNetworkToken(services, ctx, network_token_jwe);
  const pan_token = record.card_pan_token as string;
  const cvv_token = record.card_cvv_token;
  if (!isTestToken(record)) {
    const card = await services.relay.describe({ ...ctx.scope, card_pan_token: pan_token });
    return { ...orRefuse(card), ...(cvv_token && { card_cvv_token: cvv_token }) };
  }
  if (ctx.scope.mode === 'live') throw unusableProblem(SANDBOX_ONLY);
  checkExpiry(ctx, record);
  const card = await services.relay.ingest({
    ...ctx.scope,
    source: {
      kind: 'test_token',
      pan_token,
      ...(cvv_token && { cvv_token }),
      expiry_month: Number(record.expiry_month),
      expiry_year: Number(record.expiry_year),
    },
  });
  return orRefuse(card);
}

/** Stores a network token. The vault's detail names the fault of what the merchant encrypted, without a value. */
async function ingestNetworkToken(
  { relay }: Services,
  { scope }: RequestContext,
  jwe: string,
): Promise<CardDescription> {
  const card = await relay.ingest({ ...scope, source: { kind: 'network_token', jwe } });
  if ('error' in card) throw unusableProblem(card.detail, 'network_token_jwe');
  return card;
}

/** Throws 422 if a test token's card would be expired, or expire too far in the future. */
function checkExpiry(ctx: RequestContext, { expiry_month, expiry_year }: Row): void {
  const now = new Date(ctx.now() / 1000);
  if (expiryOk(Number(expiry_month), Number(expiry_year), now)) return;
  const isThisYear = Number(expiry_year) === now.getUTCFullYear();
  throw problem(
    'invalid',
    `expiry_month and expiry_year must be from this month to ${EXPIRY_MONTHS_AHEAD_MAX / 12} years ahead.`,
    { pointer: `/data/attributes/${isThisYear ? 'expiry_month' : 'expiry_year'}` },
  );
}

/**
 * Returns the same error for every unusable token, so that it reveals nothing about other
 * merchants' cards.
 */
function orRefuse(card: CardDescription | VaultError): CardDescription {
  if (!('error' in card)) return card;
  throw unusableProblem(card.error === 'invalid_card' ? card.detail : undefined);
}

async function verifiedColumns(
  services: Services,
  ctx: RequestContext,
  card: CardDescription,
  testToken: boolean,
): Promise<Row> {
  const { result } = await authenticateCard(services, {
    scope: ctx.scope,
    card_pan_token: card.card_pan_token,
    amount: 0,
    currency: 'USD',
  });
  return verifiedAs(result, testToken);
}

/** Columns of a payment method that the vault provides. */
export const cardColumns = (card: CardDescription): Row => ({
  card_pan_token: card.card_pan_token,
  card_cvv_token: card.card_cvv_token ?? null,
  card_cryptogram_token: card.card_cryptogram_token ?? null,
  wallet: card.wallet?.kind ?? null,
  network_token: card.network_token ? 't' : 'f',
  card_fingerprint: card.fingerprint,
  card_bin: card.card_bin,
  last_four: card.last_four,
  kind: card.kind,
  expiry_month: String(card.expiry_month),
  expiry_year: String(card.expiry_year),
});
