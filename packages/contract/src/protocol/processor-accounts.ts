/** Protocol between server and vault for accounts at payment processors. */
import type { Mode } from './vault.ts';

/** An account at a payment processor, in one mode. */
export interface ProcessorAccountRef {
  readonly account_id: string;
  readonly mode: Mode;
}

/** Secrets of an account, which are write-only: no response of the vault contains one. */
export interface ProcessorAccountRequest extends ProcessorAccountRef {
  /** The only origins to which the secrets are sent. New origins remove all secrets that are not sent with them. */
  readonly origins: readonly string[];
  /** Values by name. Null removes a secret; secrets that are not named stay. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

/** Maximum length of a signed text. Notifications are shorter. */
export const SIGNED_CHARS_MAX = 512 * 1024;

/** A signature to verify with a secret of an account. */
export interface SignatureRequest extends ProcessorAccountRef {
  /** Names of secrets. One must match: during a rotation the old and the new one are valid. */
  readonly secrets: readonly string[];
  readonly check:
    | {
        readonly kind: 'hmac_sha256';
        /** Encoding of the secret. */
        readonly key_encoding: 'utf8' | 'hex';
        /** The signed bytes. Base64 keeps bytes that are no UTF-8. */
        readonly payload: string;
        readonly payload_encoding: 'utf8' | 'base64';
        readonly signature: string;
        readonly signature_encoding: 'hex' | 'base64';
      }
    /** The text must be the secret itself, such as a fixed `Authorization` header. */
    | { readonly kind: 'equal'; readonly text: string };
}
