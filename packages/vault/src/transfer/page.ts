import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { CardRow } from '../cards/card-store.ts';

/** A card that travels: its description, and its number as stored, with the data key. */
export interface SentCard
  extends Omit<CardRow, 'merchant_id' | 'mode' | 'kek_version' | 'wrapped_dek' | 'ciphertext'> {
  /** Data key in base64. */
  readonly dek: string;
  /** The encrypted number in base64. */
  readonly ciphertext: string;
}

/** A card that the other vault has from an earlier transfer. */
export interface KnownCard {
  readonly token: string;
}

/** Id of a card, with the keyed fingerprint that finds it. */
export interface SentFingerprint {
  readonly mark: string;
  readonly id: string;
  readonly used_at: string;
}

/** Place in all pages of a transfer. */
export type Position =
  | { readonly part: 'keys' }
  | { readonly part: 'fingerprints' | 'cards'; readonly mode: Mode; readonly after: string };

/**
 * Content of a page. `cards` has all cards of a mode with tokens in a range, so that the other vault deletes the rest of
 * the range. The last page has no `through`.
 */
export type Page =
  | {
      readonly part: 'keys';
      /** Key of the merchant's fingerprints in base64; null without cards. */
      readonly fingerprint_key: string | null;
      /** New cards a day that an operator allows, by mode. */
      readonly new_numbers: Readonly<Partial<Record<Mode, number>>>;
    }
  | {
      readonly part: 'fingerprints';
      readonly mode: Mode;
      readonly fingerprints: readonly SentFingerprint[];
    }
  | {
      readonly part: 'cards';
      readonly mode: Mode;
      readonly after: string;
      readonly through: string | null;
      readonly cards: readonly (SentCard | KnownCard)[];
      readonly is_last: boolean;
    };

const MODES: readonly Mode[] = ['live', 'sandbox'];

/** First position: keys, then the fingerprints of both modes, then their cards. */
export const FIRST_POSITION: Position = { part: 'keys' };

/** Position after a page; undefined after the last. `last` is the last key of a full page. */
export function positionAfter(position: Position, last: string | undefined): Position | undefined {
  if (position.part === 'keys') return { part: 'fingerprints', mode: 'live', after: '' };
  if (last !== undefined) return { ...position, after: last };
  const { part, mode } = position;
  const next = MODES[MODES.indexOf(mode) + 1];
  if (next) return { part, mode: next, after: '' };
  return part === 'fingerprints' ? { part: 'cards', mode: 'live', after: '' } : undefined;
}
