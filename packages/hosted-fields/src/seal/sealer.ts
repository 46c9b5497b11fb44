import { parseExpiry } from '@florin/contract/card/expiry.ts';
import {
  SEALED_BYTES,
  SEALED_LIFE_SECONDS,
  type SealedClaims,
} from '@florin/contract/protocol/frame.ts';
import type { CardEntry } from '../form/checks.ts';
import { base64url, utf8 } from './base64url.ts';
import { type JweRecipient, sealJwe } from './jwe.ts';

export interface SealedCard {
  /** Id of the attempt; every resend of the same entry repeats it. */
  readonly attempt: string;
  readonly pan_jwe: string;
  readonly cvv_jwe: string;
}

interface PendingSeal {
  readonly entry: CardEntry;
  readonly jtis: readonly [pan: string, cvv: string];
  readonly sealed_at: number;
  readonly card: Promise<SealedCard>;
}

/** Age in seconds from which a card is sealed again, so that it does not expire in transit. */
const REUSE_SECONDS = SEALED_LIFE_SECONDS - 60;
const JTI_BYTES = 16;

/**
 * Creates a sealer of cards. A resend after a missing response has the same ids, so that the server recognises the
 * same card. `now` is in milliseconds.
 */
export function createSealer(recipient: JweRecipient, now: () => number) {
  let latest: PendingSeal | undefined;
  return {
    seal(entry: CardEntry): Promise<SealedCard> {
      const sealed_at = Math.floor(now() / 1000);
      const same = latest && sameEntry(latest.entry, entry) ? latest : undefined;
      if (same && sealed_at - same.sealed_at < REUSE_SECONDS) return same.card;
      const jtis = same?.jtis ?? ([newId(), newId()] as const);
      const card = sealCard(entry, jtis, sealed_at, recipient);
      latest = { entry, jtis, sealed_at, card };
      return card;
    },
    /** Drops sealed cards after the server's response, or when the entry is cleared. */
    clear(): void {
      latest = undefined;
    },
  };
}

export type Sealer = ReturnType<typeof createSealer>;

const newId = (): string => base64url(crypto.getRandomValues(new Uint8Array(JTI_BYTES)));

const sameEntry = (a: CardEntry, b: CardEntry): boolean =>
  a.number === b.number && a.expiry === b.expiry && a.cvv === b.cvv;

async function sealCard(
  { number, expiry, cvv }: CardEntry,
  [pan_jti, cvv_jti]: PendingSeal['jtis'],
  iat: number,
  recipient: JweRecipient,
): Promise<SealedCard> {
  const times = { iat, exp: iat + SEALED_LIFE_SECONDS };
  const date = parseExpiry(expiry);
  if (!date) throw new Error('A card without an expiry date cannot be sealed.');
  const pan = {
    pan: number,
    expiry_month: date.month,
    expiry_year: date.year,
    jti: pan_jti,
    ...times,
  };
  const [pan_jwe, cvv_jwe] = await Promise.all([
    sealClaims(pan, recipient),
    sealClaims({ cvv, jti: cvv_jti, ...times }, recipient),
  ]);
  return { attempt: pan_jti, pan_jwe, cvv_jwe };
}

/** Encryption preserves the length, so every card is padded to the same length. */
async function sealClaims(
  claims: Omit<SealedClaims, 'pad'>,
  recipient: JweRecipient,
): Promise<string> {
  const padding_length = SEALED_BYTES - JSON.stringify({ ...claims, pad: '' }).length;
  const plaintext = utf8(JSON.stringify({ ...claims, pad: '0'.repeat(padding_length) }));
  const jwe = await sealJwe(plaintext, recipient);
  plaintext.fill(0);
  return jwe;
}
