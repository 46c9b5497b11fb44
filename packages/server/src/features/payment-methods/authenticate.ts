import { randomUUID } from 'node:crypto';
import type { RelayAnswer } from '@florin/contract/protocol/vault.ts';
import type { Scope } from '../../platform/database/scope.ts';
import {
  type AuthenticateInput,
  type AuthenticateResult,
  issuerUnavailableResult,
  noDirectoryResult,
} from '../../processors/port/directory.ts';
import type { Services } from '../../services.ts';

export interface CardToAuthenticate {
  readonly scope: Scope;
  readonly card_pan_token: string;
  /** Amount in minor units; 0 for an authentication without a payment. */
  readonly amount: number;
  readonly currency: string;
  /** Id at the directory server; random if absent. */
  readonly id?: string;
  /** Browser that can show a challenge; absent if there is no browser. */
  readonly browser?: AuthenticateInput['browser'];
}

/**
 * Authenticates the cardholder with the card's issuer, through the processor's directory server
 * (3-D Secure).
 */
export async function authenticateCard(
  services: Services,
  card: CardToAuthenticate,
): Promise<AuthenticateResult> {
  const processor = services.processorOf(card.scope.mode);
  if (!processor) return noDirectoryResult;
  const { id = randomUUID(), amount, currency, browser } = card;
  const processorRequest = processor.authenticate.mapRequest({
    attempt_id: id,
    amount,
    currency,
    ...(browser && { browser }),
  });
  const request = {
    id,
    ...card.scope,
    card_pan_token: card.card_pan_token,
    consumes_cvv: false,
    not_after: Math.floor(services.system_clock.now() / 1000) + processorRequest.timeout_ms,
    ...processorRequest,
  };
  const answers: RelayAnswer[] = [];
  await services.relay.relay([request], (answer) => answers.push(answer));
  const [answer] = answers;
  return answer ? processor.authenticate.mapAnswer(answer) : issuerUnavailableResult;
}
