import { notificationControlRoutes } from '../notifications/control-notifications.ts';
import { badControl, noContent, notFound, type StandInAnswer } from '../stand-in/answer.ts';
import type { ControlCall, ControlRoute } from '../stand-in/control.ts';
import { keyControlRoutes } from '../stand-in/control-keys.ts';
import { parseAdyenAccount } from './accounts.ts';
import type { AdyenBooks } from './books.ts';
import type { AdyenServices } from './call.ts';
import { postDispute, postDisputeEvent } from './disputes/control-disputes.ts';
import { postPaymentEvent } from './events/control-events.ts';
import { adyenBalancesOf } from './modifications/balances.ts';
import type { AdyenPayment, Modification } from './records.ts';
import { closeBatch } from './reports/operations.ts';

/** Operations of the control surface. The real service has no way to read a payment. */
export const adyenControlRoutes: readonly ControlRoute<AdyenServices>[] = [
  ...notificationControlRoutes,
  ...keyControlRoutes,
  { method: 'PUT', path: /^\/accounts\/([^/]+)$/, run: putAccount },
  { method: 'GET', path: /^\/accounts\/([^/]+)\/totals$/, run: getTotals },
  { method: 'POST', path: /^\/accounts\/([^/]+)\/batches$/, run: closeBatch },
  { method: 'GET', path: /^\/accounts\/([^/]+)\/payments$/, run: getPayments },
  { method: 'GET', path: /^\/payments\/(\w+)$/, run: getPayment },
  { method: 'POST', path: /^\/payments\/(\w+)\/events$/, run: postPaymentEvent },
  { method: 'POST', path: /^\/payments\/(\w+)\/disputes$/, run: postDispute },
  { method: 'POST', path: /^\/disputes\/(\w+)\/events$/, run: postDisputeEvent },
];

/** `PUT /control/accounts/{merchantAccount}`: creates or replaces an account. */
function putAccount({ books }: AdyenServices, { body }: ControlCall, name: string): StandInAnswer {
  const account = parseAdyenAccount(name, body);
  if (typeof account === 'string') return badControl(account);
  books.accounts.put(account);
  return noContent;
}

/** `GET /control/accounts/{merchantAccount}/totals`: numbers of payments by status. */
function getTotals({ books }: AdyenServices, _: ControlCall, name: string): StandInAnswer {
  return { status: 200, body: books.payments.totals(name) };
}

/** `GET /control/accounts/{merchantAccount}/payments?reference=`: payments of a merchant's reference, oldest first. */
function getPayments(
  { books }: AdyenServices,
  { query }: ControlCall,
  name: string,
): StandInAnswer {
  const payments = books.payments.ofReference(name, query.get('reference') ?? '');
  return { status: 200, body: payments.map((payment) => renderState(books, payment)) };
}

/** `GET /control/payments/{psp}`: state of a payment. */
function getPayment({ books }: AdyenServices, _: ControlCall, psp: string): StandInAnswer {
  const payment = books.payments.find(psp);
  return payment ? { status: 200, body: renderState(books, payment) } : notFound;
}

/** Status, sums and modifications of a payment. */
function renderState(
  { modifications: modificationBooks }: AdyenBooks,
  { psp, status, reference, amount, currency, facts }: AdyenPayment,
): object {
  const modifications = modificationBooks.of(psp);
  const { captured, refunded } = adyenBalancesOf(modifications);
  return {
    interaction: facts.shopperInteraction,
    psp,
    status,
    reference,
    amount,
    currency,
    captured,
    refunded,
    modifications: modifications.map(renderModification),
  };
}

const renderModification = ({ psp, kind, state, reference, facts: { reason } }: Modification) => ({
  psp,
  kind,
  state,
  ...(reference && { reference }),
  ...(reason && { reason }),
});
