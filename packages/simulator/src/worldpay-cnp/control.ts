import { badControl, noContent, type StandInAnswer } from '../stand-in/answer.ts';
import type { ControlCall, ControlRoute } from '../stand-in/control.ts';
import { keyControlRoutes } from '../stand-in/control-keys.ts';
import { parseCnpAccount } from './accounts.ts';
import type { CnpServices } from './call.ts';
import { type CnpTransaction, isApproved, sumOf } from './transaction-books.ts';

/**
 * Operations of the control surface, below `/worldpay-cnp/control`:
 *
 * - `PUT /accounts/{merchantId}`: login, currency and settings.
 * - `GET /accounts/{merchantId}/payments?id=`: payments with an id, and their money.
 * - `GET /notifications`, `DELETE /notification-faults`: none, since cnpAPI has no notifications.
 * - `POST /clock`, `/refused-keys`, and `/faults` of messages, are in `stand-in`. The `path` of a fault is a part of `/sale/<id>`.
 */
export const cnpControlRoutes: readonly ControlRoute<CnpServices>[] = [
  ...keyControlRoutes,
  { method: 'PUT', path: /^\/accounts\/([^/]+)$/, run: putAccount },
  { method: 'GET', path: /^\/accounts\/([^/]+)\/payments$/, run: getPayments },
  { method: 'GET', path: /^\/notifications$/, run: () => ({ status: 200, body: [] }) },
  { method: 'DELETE', path: /^\/notification-faults$/, run: () => noContent },
];

function putAccount(
  { books }: CnpServices,
  { body }: ControlCall,
  merchantId: string,
): StandInAnswer {
  const account = parseCnpAccount(merchantId, body);
  if (typeof account === 'string') return badControl(account);
  books.accounts.put(account);
  return noContent;
}

function getPayments(
  services: CnpServices,
  { query }: ControlCall,
  merchantId: string,
): StandInAnswer {
  const payments = services.books.transactions
    .withId(merchantId, query.get('id') ?? '')
    .filter(({ type }) => type === 'authorization' || type === 'sale')
    .map((payment) => moneyOf(services, payment));
  return { status: 200, body: payments };
}

/** Money of a payment. `held` can still be captured. */
function moneyOf({ books }: CnpServices, payment: CnpTransaction) {
  const { cnpId, type, amount, facts } = payment;
  const children = books.transactions.childrenOf(cnpId);
  const charged = isApproved(payment) && !facts.isUndone;
  const captures = children.filter(({ type: each }) => each === 'capture');
  const deposits = type === 'sale' ? [payment] : captures;
  const captured = type === 'sale' ? (charged ? amount : 0) : sumOf(children, 'capture');
  const refunded = deposits.reduce(
    (sum, { cnpId: deposit }) => sum + sumOf(books.transactions.childrenOf(deposit), 'credit'),
    0,
  );
  return {
    cnpTxnId: cnpId,
    type,
    response: facts.response,
    amount,
    held: type === 'authorization' && charged && captured === 0 ? amount : 0,
    captured,
    refunded,
  };
}
