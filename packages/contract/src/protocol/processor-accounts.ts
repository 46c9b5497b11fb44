/** Protocol between server and vault for accounts at payment processors. */
import type { CardFields, Credentials, Mode, RelayCodec, RelayMethod } from './vault.ts';

/** An account at a payment processor, in one mode. */
export interface ProcessorAccountRef {
  readonly account_id: string;
  readonly mode: Mode;
}

const CANDIDATE_SUFFIX = '-candidate';

/** Id under which new secrets of an account are checked before they replace those in use. */
export const candidateIdOf = (account_id: string): string => account_id + CANDIDATE_SUFFIX;

export const isCandidateId = (id: string): boolean => id.endsWith(CANDIDATE_SUFFIX);

/** Id of the account of a candidate. */
export const accountIdOf = (candidate_id: string): string =>
  candidate_id.slice(0, -CANDIDATE_SUFFIX.length);

/** Login of a message: its credentials without the account. */
export type Login = Omit<Credentials, 'account_id'>;

/** Messages that an account may send. All others of the account are refused. */
export interface EgressRule {
  readonly origin: string;
  readonly method: RelayMethod;
  /** Path of the URL. A segment `*` is any one segment, as in `/payments/:id/captures` with `*` for `:id`. */
  readonly path: string;
  /** Names that the query may have; absent: no query. */
  readonly query?: readonly string[];
  /** Places of the body where a card may be, and its field there; absent: no card. */
  readonly card_fields?: CardFields;
  /** Places of the body where a secret may be, and its name; absent: none. */
  readonly secret_fields?: Readonly<Record<string, string>>;
  /** Exact login of a message, so that it cannot carry another one, or further secrets; absent: any. */
  readonly login?: Login;
  /** Headers that a message may have beside its login and the format; absent: none, if there is a `login`. */
  readonly headers?: readonly string[];
  /** Format of the body, if there is a `login`; absent: `json`. */
  readonly codec?: RelayCodec;
}

/** Maximum number of rules of an account. */
export const EGRESS_RULES_MAX = 64;

/** Merchant whose messages alone an account sends. */
interface AccountMerchant {
  /** Null: every merchant. Absent, as from older servers: the stored one stays. */
  readonly merchant_id?: string | null;
}

/** Rules and merchant that replace those of a stored account. */
export interface EgressRequest extends ProcessorAccountRef, AccountMerchant {
  /** Absent: the stored rules stay. */
  readonly egress?: readonly EgressRule[];
}

/** Secrets of an account, which are write-only: no response of the vault contains one. */
export interface ProcessorAccountRequest extends ProcessorAccountRef, AccountMerchant {
  /** The only origins to which the secrets are sent. New origins remove all secrets that are not sent with them. */
  readonly origins: readonly string[];
  /** Messages that the account may send. Absent: the stored rules stay while the origins do; without rules, any message, in production any without a card. */
  readonly egress?: readonly EgressRule[];
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
