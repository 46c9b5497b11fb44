import type { StandInAnswer } from '../../stand-in/answer.ts';
import { wholeNumberOf } from '../../stand-in/members.ts';
import { invalid } from '../answer.ts';
import { type CheckoutCall, type CheckoutServices, channelsOf } from '../call.ts';
import { timeText } from '../render-payment.ts';
import { summaryOf } from '../response-texts.ts';
import { type BreakdownRow, breakdownOf, decimalText } from './breakdown.ts';
import type { StoredMovement } from './movement-books.ts';
import { currencyAccountOf, entityOf } from './owner-ids.ts';

const PAGE_SIZE_MAX = 100;
/** Query parameters, one of which must select the movements, with the names in the books. */
const selectors = { payment_id: 'payment', action_id: 'action', reference: 'reference' } as const;

/** `GET /financial-actions`: movements of a payment, an action or a reference, in the order of booking. */
export function listFinancialActions(
  { books }: CheckoutServices,
  call: CheckoutCall,
): StandInAnswer {
  const { query, base } = call;
  const selected = Object.entries(selectors).flatMap(([parameter, name]) => {
    const value = query.get(parameter);
    return value ? [[name, value]] : [];
  });
  if (selected.length === 0) return invalid(['payment_id_or_action_id_or_reference_required']);
  const limit = wholeNumberOf(query.get('limit') ?? PAGE_SIZE_MAX) ?? 0;
  if (limit < 1 || limit > PAGE_SIZE_MAX) return invalid(['limit_invalid']);
  const after = positionOf(query.get('pagination_token'));
  if (after === undefined) return invalid(['pagination_token_invalid']);
  const filter = { channels: channelsOf(call), ...Object.fromEntries(selected), after };
  const found = books.movements.list(filter, limit + 1);
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1) : undefined;
  const body = {
    count: page.length,
    limit,
    data: page.map(renderMovement),
    _links: {
      self: { href: `${base}/financial-actions?${query}` },
      ...(next && { next: { href: nextAddress(base, query, next) } }),
    },
  };
  return { status: 200, body };
}

function nextAddress(base: string, query: URLSearchParams, { position }: StoredMovement): string {
  const next = new URLSearchParams(query);
  next.set('pagination_token', Buffer.from(String(position)).toString('base64url'));
  return `${base}/financial-actions?${next}`;
}

/** Position of a token; 0 without a token, undefined for an unreadable one. */
const positionOf = (token: string | null): number | undefined =>
  token === null ? 0 : wholeNumberOf(Buffer.from(token, 'base64url').toString());

const renderMovement = (movement: StoredMovement) => ({
  payment_id: movement.payment,
  action_id: movement.action,
  action_type: movement.type,
  entity_id: entityOf(movement.channel),
  currency_account_id: currencyAccountOf(movement.channel, movement.currency),
  processing_channel_id: movement.channel,
  ...(movement.reference && { reference: movement.reference }),
  // Numbers where the code has only digits, as in published examples.
  response_code: wholeNumberOf(movement.code) ?? movement.code,
  response_description: summaryOf(movement.code),
  processed_on: timeText(movement.processedAt),
  requested_on: timeText(movement.requestedAt),
  breakdown: breakdownOf(movement).map(renderRow),
});

/** Amounts are numbers in major units. Only amounts that are no fees have a transaction currency. */
function renderRow({ type, amount, currency, isFee }: BreakdownRow) {
  const number = Number(decimalText(amount));
  return {
    breakdown_type: type,
    fx_rate_applied: 1,
    holding_currency: currency,
    holding_currency_amount: number,
    processing_currency: currency,
    processing_currency_amount: number,
    ...(!isFee && { transaction_currency: currency, transaction_currency_amount: number }),
  };
}
