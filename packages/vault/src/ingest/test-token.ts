import { randomBytes } from 'node:crypto';
import {
  CVV_TEST_TOKEN,
  isSandboxNetworkToken,
  sandboxCardByToken,
  sandboxCvv,
} from '@florin/contract/card/sandbox-cards.ts';
import type { IngestRequest, Mode } from '@florin/contract/protocol/vault.ts';
import type { ClearCard } from '../cards/clear-card.ts';
import { packCryptogram } from '../cards/cryptogram.ts';
import { VaultRefusal } from '../kernel/errors.ts';
import { checkExpiry } from './check-card.ts';

export type TestTokenSource = Extract<IngestRequest['source'], { kind: 'test_token' }>;

const unknownTokenRefusal = (name: string): VaultRefusal =>
  new VaultRefusal('unknown_token', `${name} is not known.`);

/** Card of a test token. Live mode has no test tokens. */
export function cardOfTestToken(mode: Mode, source: TestTokenSource, now: number): ClearCard {
  const card = mode === 'sandbox' ? sandboxCardByToken(source.pan_token) : undefined;
  if (!card) throw unknownTokenRefusal('card_pan_token');
  const { cvv_token } = source;
  if (cvv_token !== undefined && cvv_token !== CVV_TEST_TOKEN)
    throw unknownTokenRefusal('card_cvv_token');
  return {
    number: card.number,
    ...checkExpiry(source.expiry_month, source.expiry_year, now),
    ...(isSandboxNetworkToken(card)
      ? { network_token: true, cryptogram: { text: createTestCryptogram() } }
      : cvv_token && { cvv: { text: sandboxCvv(card.brand) } }),
  };
}

const CRYPTOGRAM_BYTES = 20;

/** A new cryptogram: issuers accept each one once. */
const createTestCryptogram = (): string =>
  packCryptogram({ cryptogram: randomBytes(CRYPTOGRAM_BYTES).toString('base64') });
