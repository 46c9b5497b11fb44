import { parseAccount } from './accounts.ts';
import { type CheckoutAnswer, noContent, notFound } from './answer.ts';
import type { CheckoutServices } from './call.ts';
import { endChallenge, putOutcomes } from './follow-ups/control-payments.ts';
import { membersOf } from './members.ts';

/** Request to the control surface, which the real service does not have. */
export interface ControlCall {
  readonly method: string;
  /** Path after `/control`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const ACCOUNT_PATH = /^\/accounts\/([^/]+)$/;
const PAYMENT_PATH = /^\/payments\/(\w+)\/(outcomes|challenge)$/;
const CLOCK_STEP_MS_MAX = 366 * 24 * 60 * 60_000;

/** Serves the control surface. Runs inside a commit. */
export function control(services: CheckoutServices, call: ControlCall): CheckoutAnswer {
  const channel = ACCOUNT_PATH.exec(call.path)?.[1];
  if (call.method === 'PUT' && channel !== undefined) return putAccount(services, channel, call);
  const [, payment = '', part] = PAYMENT_PATH.exec(call.path) ?? [];
  if (call.method === 'PUT' && part === 'outcomes')
    return putOutcomes(services, payment, call.body);
  if (call.method === 'POST' && part === 'challenge')
    return endChallenge(services, payment, call.body);
  if (call.method === 'POST' && call.path === '/clock') return advanceClock(services, call);
  return notFound;
}

const badControl = (error: string): CheckoutAnswer => ({ status: 400, body: { error } });

/** `PUT /control/accounts/{channel}`: creates or replaces an account. */
function putAccount(
  { books }: CheckoutServices,
  channel: string,
  { body }: ControlCall,
): CheckoutAnswer {
  const account = parseAccount(channel, body);
  if (typeof account === 'string') return badControl(account);
  books.accounts.put(account);
  return noContent;
}

/** `POST /control/clock {advance_ms}`: moves the clock forward. */
function advanceClock({ books, now }: CheckoutServices, { body }: ControlCall): CheckoutAnswer {
  const { advance_ms } = membersOf(body);
  if (typeof advance_ms !== 'number' || !(advance_ms >= 0 && advance_ms <= CLOCK_STEP_MS_MAX))
    return badControl(`advance_ms must be milliseconds from 0 to ${CLOCK_STEP_MS_MAX}.`);
  books.advanceClock(Math.floor(advance_ms));
  return { status: 200, body: { now: new Date(now()).toISOString() } };
}
