import { SERVER_CONNECTIONS } from '@florin/contract/protocol/vault-connections.ts';
import { expect, test } from 'vitest';
import { INQUIRIES_IN_FLIGHT_MAX } from './features/attempts/workers/resolve.ts';
import { captures, refunds } from './features/follow-ups/kinds.ts';
import { FOLLOW_UPS_IN_FLIGHT_MAX } from './features/follow-ups/workers/send.ts';
import { PAYMENT_RELAYS_MAX } from './features/payments/slots/in-flight.ts';
import { ASKED_AT_ONCE } from './features/restore/run.ts';
import { RENEWAL_RELAYS_MAX } from './features/subscriptions/workers/bill.ts';

/** Connections for calls that no loop counts: card forms, authentications, checks of accounts, reports. */
const UNCOUNTED_MIN = 32;

const freeConnections = (pool: keyof typeof SERVER_CONNECTIONS, used: readonly number[]): number =>
  SERVER_CONNECTIONS[pool] - used.reduce((sum, count) => sum + count, 0);

test('the relays of all loops leave connections for card forms', () => {
  const relays = [PAYMENT_RELAYS_MAX, RENEWAL_RELAYS_MAX];
  expect(freeConnections('cards', relays)).toBeGreaterThanOrEqual(UNCOUNTED_MIN);
});

test('each message without a card that the loops may have in flight has a connection', () => {
  const followUps = [refunds, captures].map(() => FOLLOW_UPS_IN_FLIGHT_MAX);
  const messages = [...followUps, INQUIRIES_IN_FLIGHT_MAX, ASKED_AT_ONCE];
  expect(freeConnections('cardless', messages)).toBeGreaterThanOrEqual(UNCOUNTED_MIN);
});
