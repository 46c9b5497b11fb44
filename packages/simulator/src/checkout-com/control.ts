import { notificationControlRoutes } from '../notifications/control-notifications.ts';
import { badControl, noContent, type StandInAnswer } from '../stand-in/answer.ts';
import type { ControlCall, ControlRoute } from '../stand-in/control.ts';
import { keyControlRoutes } from '../stand-in/control-keys.ts';
import { parseAccount } from './accounts.ts';
import type { CheckoutServices } from './call.ts';
import { disputeControlRoutes } from './disputes/control-disputes.ts';
import { payOutEarly } from './finance/control-payouts.ts';
import { endChallenge, putOutcomes } from './follow-ups/control-payments.ts';

/**
 * Operations of the control surface, below `/checkout-com/control`:
 *
 * - `PUT /accounts/{channel}`: keys and settings; address and key of notifications.
 * - `PUT /payments/{id}/outcomes`, `POST /payments/{id}/challenge`: outcomes that the issuer and the payer decide.
 * - `POST /payments/{id}/disputes`, `POST /disputes/{id}/status` and `…/acknowledgement`: disputes.
 * - `POST /accounts/{channel}/payouts`: a settlement report of all movements that no report has.
 * - `GET /notifications`, `POST /notifications/{position}/resend`, `/notification-faults`: notifications.
 * - `POST /clock`, `/refused-keys`, and `/faults` of requests, are in `stand-in`.
 */
export const checkoutControlRoutes: readonly ControlRoute<CheckoutServices>[] = [
  ...notificationControlRoutes,
  ...keyControlRoutes,
  ...disputeControlRoutes,
  { method: 'PUT', path: /^\/accounts\/([^/]+)$/, run: putAccount },
  { method: 'POST', path: /^\/accounts\/([^/]+)\/payouts$/, run: payOutEarly },
  { method: 'PUT', path: /^\/payments\/(\w+)\/outcomes$/, run: putOutcomes },
  { method: 'POST', path: /^\/payments\/(\w+)\/challenge$/, run: endChallenge },
];

/** `PUT /control/accounts/{channel}`: creates or replaces an account. */
function putAccount(
  { books }: CheckoutServices,
  { body }: ControlCall,
  channel: string,
): StandInAnswer {
  const account = parseAccount(channel, body);
  if (typeof account === 'string') return badControl(account);
  books.accounts.put(account);
  return noContent;
}
