import { problem } from '@florin/contract/errors.ts';
import type {
  SdkEventDetail,
  VerifyAnswer,
  VerifyRequest,
} from '@florin/contract/protocol/frame.ts';
import type { CardDescription } from '@florin/contract/protocol/vault.ts';
import { instantText } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import type { AuthenticateResult } from '../../processors/processor.ts';
import { createRecords } from '../../store/create.ts';
import type { Row } from '../../store/row.ts';
import { authenticateCard, externalState } from '../payment-methods/authenticate.ts';
import { columnsOf } from '../payment-methods/behaviour.ts';
import type { Updater } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import {
  type Attachment,
  AttachRefused,
  decideAttach,
  decideAttachToSubscription,
} from './attach.ts';
import { findMounted, isOpen, type Mounted, type MountedTable, nameOf } from './mounted.ts';
import type { MountSession } from './session.ts';

/** How what a form is mounted for is changed. */
export type MountUpdaters = Readonly<Record<MountedTable, Updater>>;

const attachments = {
  payment_demands: decideAttach,
  payment_subscriptions: decideAttachToSubscription,
} as const;

/**
 * Verifies the card of a mounted form: the vault opens it, the bank authenticates the cardholder,
 * and a new payment method is attached to the payment with the results.
 */
export async function verifyCard(
  services: Services,
  updaters: MountUpdaters,
  session: MountSession,
  request: VerifyRequest,
): Promise<VerifyAnswer> {
  const mounted = await findMounted(services.db, session.scope, session.payment_id);
  if (!mounted || !isOpen(mounted)) return refusal('payment_closed');
  const demand = mounted.row;
  const card = await services.relay.ingest({
    ...session.scope,
    source: {
      kind: 'sealed',
      pan_jwe: request.pan_jwe,
      cvv_jwe: request.cvv_jwe,
      sid: session.nonce,
    },
  });
  if ('error' in card) return refusal(card.error);
  const authentication = await authenticateCard(services, {
    scope: session.scope,
    card_pan_token: card.card_pan_token,
    amount: Number(demand.amount_cents),
    currency: demand.amount_currency as string,
  });
  const method = await storeMethod(services, demand, card, authentication);
  if (method.external_state !== 'confirmed') return answerOf(method, mounted, authentication);
  const attachment: Attachment = {
    method,
    authentication,
    amount_cents: demand.amount_cents as string,
    amount_currency: demand.amount_currency as string,
    timezone: request.timezone,
    threeds: session.threeds,
  };
  const refused = await attach(updaters, mounted, session, attachment);
  return refused ? refusal(refused.code) : answerOf(method, mounted, authentication);
}

/** Attaches the card under the payment's lock; what it is refused with is an answer, not a failure. */
async function attach(
  updaters: MountUpdaters,
  { table }: Mounted,
  { scope, payment_id }: MountSession,
  attachment: Attachment,
): Promise<AttachRefused | undefined> {
  try {
    const decide = (row: Row) => attachments[table](row, attachment);
    await updaters[table]({ scope, id: payment_id, decide });
    return undefined;
  } catch (error) {
    if (error instanceof AttachRefused) return error;
    throw error;
  }
}

async function storeMethod(
  { db, catalog, clock, models }: Services,
  demand: Row,
  card: CardDescription,
  { result }: AuthenticateResult,
): Promise<Row> {
  const now = clock.now();
  const row: Row = {
    merchant_id: demand.merchant_id as string,
    mode: demand.mode as string,
    id: uuidv7(now),
    customer_id: demand.payer_id ?? null,
    address_id: demand.billing_address_id ?? null,
    external_state: externalState(result),
    ...columnsOf(card),
    created_at: instantText(now),
    updated_at: instantText(now),
  };
  const event = eventAbout(models.get('payment_methods'), row, 'created', now);
  const [created] = await createRecords(db, catalog, 'payment_methods', [{ row, events: [event] }]);
  if (created?.outcome === 'created') return row;
  throw problem('unavailable', 'The card could not be stored. Try again in a moment.');
}

function answerOf(method: Row, mounted: Mounted, { result }: AuthenticateResult): VerifyAnswer {
  const detail: SdkEventDetail = {
    ...nameOf(mounted),
    payment_method: method.id as string,
    brand: method.kind as string,
    card_bin: method.card_bin as string,
    last_four: method.last_four as string,
    expiry_month: Number(method.expiry_month),
    expiry_year: Number(method.expiry_year),
    card_pan_token: method.card_pan_token as string,
    ...(method.card_cvv_token && { card_cvv_token: method.card_cvv_token }),
  };
  if (method.external_state === 'confirmed') return { result: 'verified', detail };
  if (result === 'rejected') {
    const code = 'authentication_failed';
    return {
      result: 'failed',
      detail: { ...detail, code, message: 'Your bank did not approve this card.' },
    };
  }
  return result === 'challenge'
    ? failure(
        'challenge_unavailable',
        'Your bank asks for an extra step that is not available here. Try another card.',
      )
    : failure(
        'card_not_verified',
        'The card could not be checked right now. Try again in a moment.',
      );
}

const messages: Readonly<Record<string, string>> = {
  invalid_card: 'Check the card number and expiry date.',
  payment_closed: 'This payment takes no more cards.',
  payment_changed: 'The amount has changed. Check it and enter the card again.',
  sealed_card_expired: 'The form was open for too long. Enter the card again.',
};

const UNREADABLE = 'The card could not be read. Reload the page and enter it again.';

const refusal = (code: string): VerifyAnswer => failure(code, messages[code] ?? UNREADABLE);

const failure = (code: string, message: string): VerifyAnswer => ({
  result: 'error',
  detail: { code, message },
});
