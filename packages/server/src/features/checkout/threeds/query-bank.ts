import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserFacts } from '@florin/contract/protocol/frame.ts';
import type { BrowserDescription } from '@florin/contract/protocol/network.ts';
import type { Row } from '../../../platform/database/row.ts';
import { findRow } from '../../../platform/database/rows.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { Services } from '../../../services.ts';
import { authenticateCard } from '../../payment-methods/authenticate.ts';
import { retainCard } from '../../payment-methods/keep-card.ts';
import type { EnteredCard, StartedAuthentication } from './begin.ts';
import type { AuthenticationFinding } from './decide.ts';
import { type NewCard, recordFinding } from './record.ts';
import type { AuthenticationKey } from './signed-references.ts';
import { addressesOf, type ThreeDSecure } from './threeds.ts';

/** Browser facts that the server reads from the HTTP request. The form does not send them. */
export type BrowserHeaders = Pick<BrowserDescription, 'accept_header' | 'ip' | 'user_agent'>;
export type CardholderBrowser = BrowserFacts & BrowserHeaders;

/**
 * Queries the issuer about an entered card and records the result. Returns the authentication after
 * the change.
 */
export async function queryBank(
  threeds: ThreeDSecure,
  entry: EnteredCard,
  authentication: StartedAuthentication,
  browser: CardholderBrowser | undefined,
): Promise<Row> {
  const finding = await findFinding(threeds, entry, authentication, browser);
  const { payer_id, billing_address_id } = entry.mountedRecord.row;
  const card: NewCard = {
    card: entry.card,
    customer_id: payer_id ?? null,
    address_id: billing_address_id ?? null,
  };
  const key = { ...entry.session.scope, id: authentication.row.id as string };
  if (await isAwaited(threeds.services, key)) {
    await retainCard(threeds.services, entry.session.scope, entry.card.card_pan_token);
  }
  return (await recordFinding(threeds.services, key, finding, card)) ?? authentication.row;
}

/** Whether the result is still awaited. Only then is the card stored as a payment method. */
async function isAwaited({ db }: Services, key: AuthenticationKey): Promise<boolean> {
  const row = await findRow(db, 'authentications', key, key.id);
  return row?.status === 'asking';
}

async function findFinding(
  threeds: ThreeDSecure,
  { session, card }: EnteredCard,
  { row, method_completion }: StartedAuthentication,
  browser: CardholderBrowser | undefined,
): Promise<AuthenticationFinding> {
  if (card.wallet?.authenticated) return { kind: 'wallet', eci: card.wallet.eci };
  if (session.threeds === 'off') return { kind: 'policy' };
  const id = row.id as string;
  const addresses = addressesOf(threeds, { ...session.scope, id });
  const answer = await authenticateCard(threeds.services, {
    scope: session.scope,
    card_pan_token: card.card_pan_token,
    amount: Number(row.amount_cents),
    currency: row.amount_currency as string,
    id,
    ...(browser && {
      browser: {
        description: descriptionOf(browser),
        method_completion,
        notification_url: addresses.challenge_return,
        results_url: addresses.results,
        results_key: threeds.signed_references.resultsKeyOf(row),
      },
    }),
  });
  return { kind: 'answer', answer };
}

const COLOR_DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1] as const;

/**
 * Browser description for the issuer. Issuers accept certain colour depths only; others are rounded
 * down.
 */
const descriptionOf = (browser: CardholderBrowser): BrowserDescription => ({
  ...browser,
  color_depth: COLOR_DEPTHS.find((depth) => depth <= browser.color_depth) ?? 1,
});

const POLL_MS = 250;
const WAIT_MS = 15_000;

/** Waits for a concurrent query about the same card. Returns the authentication with its result. */
export async function awaitAnswer({ db }: Services, scope: Scope, storedRow: Row): Promise<Row> {
  let row: Row = storedRow;
  for (let waitedMs = 0; row.status === 'asking' && waitedMs < WAIT_MS; waitedMs += POLL_MS) {
    await sleep(POLL_MS);
    row = (await findRow(db, 'authentications', scope, row.id as string)) ?? row;
  }
  return row;
}
