import { notificationControlRoutes } from '../notifications/control-notifications.ts';
import { badControl, noContent, notFound, type StandInAnswer } from '../stand-in/answer.ts';
import type { ControlCall, ControlRoute } from '../stand-in/control.ts';
import { parseAdyenAccount } from './accounts.ts';
import type { AdyenServices } from './call.ts';
import { postDispute, postDisputeEvent } from './disputes/control-disputes.ts';
import { adyenBalancesOf } from './modifications/balances.ts';
import { closeBatch } from './reports/operations.ts';

/** Operations of the control surface. The real service has no way to read a payment. */
export const adyenControlRoutes: readonly ControlRoute<AdyenServices>[] = [
  ...notificationControlRoutes,
  { method: 'PUT', path: /^\/accounts\/([^/]+)$/, run: putAccount },
  { method: 'GET', path: /^\/accounts\/([^/]+)\/totals$/, run: getTotals },
  { method: 'POST', path: /^\/accounts\/([^/]+)\/batches$/, run: closeBatch },
  { method: 'GET', path: /^\/payments\/(\w+)$/, run: getPayment },
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

/** `GET /control/payments/{psp}`: status, sums and modifications of a payment. */
function getPayment({ books }: AdyenServices, _: ControlCall, psp: string): StandInAnswer {
  const payment = books.payments.find(psp);
  if (!payment) return notFound;
  const modifications = books.modifications.of(psp);
  const { captured, refunded } = adyenBalancesOf(modifications);
  const { status, reference, amount, currency } = payment;
  return {
    status: 200,
    body: {
      psp,
      status,
      reference,
      amount,
      currency,
      captured,
      refunded,
      modifications: modifications.map(({ psp: own, kind, state, facts: { reason } }) => ({
        psp: own,
        kind,
        state,
        ...(reason && { reason }),
      })),
    },
  };
}
