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
  /** Names the attempt: the same however often the entry is sent. */
  readonly attempt: string;
  readonly pan_jwe: string;
  readonly cvv_jwe: string;
}

interface Sealing {
  readonly entry: CardEntry;
  readonly jtis: readonly [pan: string, cvv: string];
  readonly sealed_at: number;
  readonly card: Promise<SealedCard>;
}

/** A sealed card is sent again for this long only, so that it does not expire on its way; in seconds. */
const REUSE_SECONDS = SEALED_LIFE_SECONDS - 60;
const JTI_BYTES = 16;

/**
 * Seals cards. An entry that is sent again, because no answer came, goes out under the same ids, so
 * that the server can tell it from a second card. `now` is in milliseconds.
 */
export function createSealer(recipient: JweRecipient, now: () => number) {
  let latest: Sealing | undefined;
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
    /** Drops what was sealed: the server has answered, or the entry has been cleared. */
    forget(): void {
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
  [pan_jti, cvv_jti]: Sealing['jtis'],
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

/** Encryption keeps the length of a text, so every card is padded to the same one. */
async function sealClaims(
  claims: Omit<SealedClaims, 'pad'>,
  recipient: JweRecipient,
): Promise<string> {
  const room = SEALED_BYTES - JSON.stringify({ ...claims, pad: '' }).length;
  const plaintext = utf8(JSON.stringify({ ...claims, pad: '0'.repeat(room) }));
  const jwe = await sealJwe(plaintext, recipient);
  plaintext.fill(0);
  return jwe;
}
