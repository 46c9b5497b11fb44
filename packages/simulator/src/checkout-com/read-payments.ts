import { notFound, type StandInAnswer } from '../stand-in/answer.ts';
import { membersOf, textOf, wholeNumberOf } from '../stand-in/members.ts';
import { invalid } from './answer.ts';
import { type CheckoutCall, type CheckoutServices, channelsOf, findPayment } from './call.ts';
import type { PaymentFilter } from './payment-books.ts';
import { renderAction, renderDetails, renderSummary } from './render-payment.ts';

const LIST_LIMIT_MAX = 100;
const LIST_LIMIT_DEFAULT = 10;

/** `GET /payments/{id}`. */
export function getPayment(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const payment = findPayment(services, call, call.parts[0]);
  if (!payment) return notFound;
  const actions = services.books.actions.of(payment.id);
  return { status: 200, body: renderDetails(payment, actions, call.base) };
}

/** `GET /payments/{id}/actions`, newest first. */
export function getActions(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const payment = findPayment(services, call, call.parts[0]);
  if (!payment) return notFound;
  return { status: 200, body: services.books.actions.of(payment.id).reverse().map(renderAction) };
}

/** `GET /payments?reference=`, newest first. Payments appear after the account's delay. */
export function listPayments(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const { account, query } = call;
  const reference = query.get('reference');
  if (!reference) return invalid(['reference_required']);
  const limit = wholeNumberOf(query.get('limit') ?? LIST_LIMIT_DEFAULT) ?? 0;
  const skip = wholeNumberOf(query.get('skip') ?? 0);
  if (limit < 1 || limit > LIST_LIMIT_MAX || skip === undefined)
    return invalid(['paging_limit_invalid']);
  const until = services.now() - account.settings.list_delay_ms;
  const filter = { channels: channelsOf(call), reference, until };
  const { total, data } = renderPage(services, call, filter, limit, skip);
  return { status: 200, body: { limit, skip, total_count: total, data } };
}

/** `POST /payments/search`. Knows the query terms `reference:'…'` and `id:'…'`, joined by AND. */
export function searchPayments(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const { query, limit = LIST_LIMIT_DEFAULT, from, to } = membersOf(call.body);
  const terms = termsOf(textOf(query) ?? '');
  if (!terms) return invalid(['query_invalid']);
  const size = wholeNumberOf(limit) ?? 0;
  if (size < 1 || size > LIST_LIMIT_MAX) return invalid(['limit_invalid']);
  const indexed = services.now() - call.account.settings.search_delay_ms;
  const filter = {
    channels: channelsOf(call),
    ...terms,
    ...timeRangeOf(from, to, indexed),
  };
  const { data } = renderPage(services, call, filter, size, 0);
  const found = data.map((payment) => ({
    ...payment,
    status: String(payment.status).toLowerCase(),
  }));
  return { status: 200, body: { data: found } };
}

function timeRangeOf(from: unknown, to: unknown, indexed: number) {
  const start = Date.parse(textOf(from) ?? '');
  const end = Date.parse(textOf(to) ?? '');
  return {
    ...(!Number.isNaN(start) && { from: start }),
    until: Number.isNaN(end) ? indexed : Math.min(end, indexed),
  };
}

/** Terms of a search; undefined if the query has other terms. */
function termsOf(query: string): Pick<PaymentFilter, 'reference' | 'id'> | undefined {
  const terms = query.split(/\s+AND\s+/).map((term) => /^(reference|id):\s*'([^']+)'$/.exec(term));
  if (terms.some((term) => term === null)) return undefined;
  return Object.fromEntries(terms.map((term) => [term?.[1], term?.[2]]));
}

function renderPage(
  { books }: CheckoutServices,
  { base }: CheckoutCall,
  filter: PaymentFilter,
  limit: number,
  skip: number,
) {
  const { total, payments } = books.payments.list(filter, limit, skip);
  const data = payments.map((payment) =>
    renderSummary(payment, books.actions.of(payment.id), base),
  );
  return { total, data };
}
