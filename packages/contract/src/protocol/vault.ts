/**
 * Protocol between server and vault: JSON over HTTP on a private socket. The server sends encrypted
 * cards and tokens. Responses never contain a card number or verification value.
 */
import type { CardBrand } from '../card/networks.ts';
import type { BasicCredentials, ClientCertificate, CredentialHeader } from './credentials.ts';

/** Paths of the vault's socket. All are POST unless noted. */
export const vaultPaths = {
  /**
   * GET: 204 without a body. A server asks before the first message of a connection with TLS: an answer proves that the
   * vault has accepted its certificate.
   */
  hello: '/hello',
  /** GET: public keys that encrypt cards. For each mode the current key, then the next one. */
  keys: '/keys',
  /** GET: `WalletKeys` of each mode, for the wallets of the form. */
  walletKeys: '/wallet-keys',
  ingest: '/ingest',
  describe: '/describe',
  /**
   * Marks a card as attached to a payment method. Cards that are not attached are deleted after an
   * hour. Responds with `{}`.
   */
  attach: '/attach',
  /** Deletes a card. Responds with `{}`. */
  destroy: '/destroy',
  relay: '/relay',
  /** Like `relay`, for one request without a card whose body has a file. 429 while there are too many. */
  relayFile: '/relay-file',
  /** Stores an account at a processor: `ProcessorAccountRequest`. Responds with the names of its secrets. */
  storeProcessorAccount: '/processor-accounts/store',
  /** Replaces rules and merchant of an account: `EgressRequest`. Responds with `{}`, also for an unknown account. */
  storeEgressRules: '/processor-accounts/egress',
  /** Removes a processor account with its secrets: `ProcessorAccountRef`. Responds with `{}`. */
  removeProcessorAccount: '/processor-accounts/remove',
  /** Verifies the signature of a processor's notification: `SignatureRequest`. Responds with `{ valid }`. */
  verifySignature: '/processor-accounts/verify',
  /** GET: `VaultHealth`. */
  health: '/health',
} as const;

export type Mode = 'live' | 'sandbox';

/** P-256 public key with which the hosted form encrypts a card. */
export interface SealingKey {
  readonly kid: string;
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly mode: Mode;
}

export const walletKinds = ['apple_pay', 'google_pay'] as const;
export type WalletKind = (typeof walletKinds)[number];

/** Maximum size of a wallet token: bytes of its JSON. */
export const WALLET_TOKEN_BYTES_MAX = 16 * 1024;

/** Public keys of a mode for wallets' tokens. A wallet that is not configured is absent. */
export interface WalletKeys {
  readonly mode: Mode;
  readonly apple_pay?: {
    readonly merchant_identifier: string;
    /** SHA-256 in base64 of the public key's SPKI: Apple's `publicKeyHash`. */
    readonly public_key_hash: string;
    /** Public key for the sandbox wallet sheet: SPKI in base64. */
    readonly public_key: string;
  };
  readonly google_pay?: {
    /** Recipient as Google signs it: `gateway:<name>` or `merchant:<id>`. */
    readonly recipient_id: string;
    /**
     * Name of the gateway. Requests have the Florin merchant's id as `gatewayMerchantId`.
     * Absent for `DIRECT` requests.
     */
    readonly gateway?: string;
    /** Merchant id from Google's console. Google's sheet requires it. Absent in the sandbox. */
    readonly merchant_id?: string;
    /** Uncompressed P-256 point in base64: Google's `publicKey` of a `DIRECT` ECv2 request. */
    readonly public_key: string;
  };
}

/** Largest compact JWE of a card or network token, in characters. */
export const JWE_CHARS_MAX = 4096;

/**
 * An encrypted card, wallet token, network token or sandbox test token. The vault stores the card
 * and returns card tokens.
 */
export interface IngestRequest {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly source:
    | {
        readonly kind: 'sealed';
        /** Compact JWE with card number and expiry. */
        readonly pan_jwe: string;
        /** Compact JWE with the verification value. Absent if the form had no such field. */
        readonly cvv_jwe?: string;
        /** Nonce of the mount session. Both JWEs must have it in their `sid` header. */
        readonly sid: string;
      }
    | {
        readonly kind: 'wallet';
        readonly wallet: WalletKind;
        /** The wallet's JSON: Apple's `paymentData`, Google's `tokenizationData.token`. */
        readonly token: string;
        /**
         * Nonce of the mount session. The same token in the same session gives the same result; in
         * another session, an error.
         */
        readonly sid: string;
        /**
         * Minor units. An Apple Pay token for another amount is refused. Google's tokens have no
         * amount.
         */
        readonly amount?: number;
        /** ISO 4217 code of `amount`. An Apple Pay token in another currency is refused. */
        readonly currency?: string;
      }
    | {
        readonly kind: 'network_token';
        /** Compact JWE that the merchant encrypted, with a number of a network's token service. */
        readonly jwe: string;
      }
    | {
        readonly kind: 'test_token';
        readonly pan_token: string;
        readonly cvv_token?: string;
        readonly expiry_month: number;
        readonly expiry_year: number;
      };
}

/** Card data that the vault may return. */
export interface CardDescription {
  readonly card_pan_token: string;
  /** First six digits of the card number. */
  readonly card_bin: string;
  readonly last_four: string;
  readonly kind: CardBrand;
  readonly expiry_month: number;
  readonly expiry_year: number;
  /**
   * Equal for equal cards of one merchant. Each merchant has its own key, so fingerprints of two
   * merchants cannot be compared.
   */
  readonly fingerprint: string;
  readonly card_cvv_token?: string;
  /** Present for wallet cards. Their number is usually the device's, not the printed card's. */
  readonly wallet?: CardWallet;
  /** Present if the number is a network token of the merchant. */
  readonly network_token?: true;
  /**
   * Present if the wallet authenticated the cardholder, or the network token came with a
   * cryptogram. Single-use, like a verification value.
   */
  readonly card_cryptogram_token?: string;
}

export interface CardWallet {
  readonly kind: WalletKind;
  /**
   * Whether the cardholder's device authenticated the payer (`3DSecure`, `CRYPTOGRAM_3DS`). If not,
   * 3-D Secure is needed.
   */
  readonly authenticated: boolean;
  readonly eci?: string;
}

export type VaultErrorCode =
  | 'sealed_card_unreadable'
  | 'sealed_card_expired'
  | 'sealed_card_replayed'
  | 'wrong_session'
  | 'wallet_token_unreadable'
  | 'wallet_token_expired'
  | 'wallet_token_replayed'
  /** The operator has not configured this wallet in this mode. */
  | 'wallet_not_configured'
  | 'network_token_unreadable'
  | 'network_token_expired'
  | 'network_token_replayed'
  | 'invalid_card'
  | 'unknown_token'
  /** The merchant's calls in this minute exceed their limit. */
  | 'limited'
  /** The processor account does not have the secret. */
  | 'credential_missing'
  | 'bad_request';

export interface VaultError {
  readonly error: VaultErrorCode;
  readonly detail: string;
}

/** A card to describe, attach or destroy. */
export interface CardRequest {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly card_pan_token: string;
}

/**
 * Values that the vault fills in, each in one form. Cryptograms are base64. An ECI has two digits and exists only if
 * it came with the cryptogram; `eci_or_05` and `eci_or_07` name the value to send otherwise. Months have two digits, years four, unless the name says otherwise.
 */
export const cardFields = [
  'pan',
  'cvv',
  'expiry_month',
  'expiry_year',
  'cryptogram',
  'eci',
  'eci_or_05',
  'eci_or_07',
  'expiry_month_number',
  'expiry_year_number',
  'expiry_year_short',
  /** `0530` */
  'expiry_mmyy',
  /** `3005` */
  'expiry_yymm',
  /** `052030` */
  'expiry_mmyyyy',
  /** `203005` */
  'expiry_yyyymm',
  /** `05/30` */
  'expiry_mm_slash_yy',
  /** `2030-05` */
  'expiry_yyyy_dash_mm',
] as const;
export type CardField = (typeof cardFields)[number];

/**
 * Positions in a request body that the vault fills: JSON Pointers (RFC 6901) to null members, each with its card
 * field. The body itself cannot name them, so that no text of a merchant can request card data.
 */
export type CardFields = Readonly<Record<string, CardField>>;

/** Secrets of a processor account that a request contains. The vault fills them in. */
export interface Credentials {
  readonly account_id: string;
  readonly headers: Readonly<Record<string, CredentialHeader>>;
  /** Fills the header `Authorization: Basic`. */
  readonly basic?: BasicCredentials;
  /** JSON Pointers to null members of the body, each with the name of its secret. */
  readonly body?: Readonly<Record<string, string>>;
  /** For mutual TLS. The request then has connections of its account. */
  readonly client_certificate?: ClientCertificate;
}

/** Names of the secrets that a request needs, each once. */
export function secretNamesOf({
  headers,
  basic,
  body = {},
  client_certificate,
}: Omit<Credentials, 'account_id'>): readonly string[] {
  const basicNames = [basic?.user, basic?.password].flatMap((value) =>
    value && 'secret' in value ? [value.secret] : [],
  );
  const headerNames = Object.values(headers).map(({ secret }) => secret);
  const otherNames = [...Object.values(body), ...Object.values(client_certificate ?? {})];
  return [...new Set([...headerNames, ...basicNames, ...otherNames])];
}

/** Methods of relayed requests. Requests with a card are POST. */
export const relayMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type RelayMethod = (typeof relayMethods)[number];

/**
 * Formats of a request's body. Forms are `application/x-www-form-urlencoded`, with names such as `card[number]` or
 * `card.number`. In XML the only member of the body is the root, `@name` an attribute, and `#text` a text beside them.
 * `multipart` is `multipart/form-data`, whose files are `{ file_name, content_type, content }` with base64.
 */
export const relayCodecs = ['json', 'form_brackets', 'form_dots', 'xml', 'multipart'] as const;
export type RelayCodec = (typeof relayCodecs)[number];

/** Formats of a response. Forms are flat objects, XML has the members of `relayCodecs`, and a text is one string. */
export const answerCodecs = ['json', 'form', 'xml', 'text'] as const;
export type AnswerCodec = (typeof answerCodecs)[number];

/**
 * One request to a processor. The vault fills in `card_fields`, drops members without a value, and
 * sends the body to `url`. The URL's origin must be on the egress list.
 * A request for a missing cryptogram is not sent: the processor would accept the card without its
 * proof.
 */
export interface RelayRequest {
  /** Id of the attempt. The response repeats it. */
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  /** Absent for a request without a card, which then names no other token and no card field. */
  readonly card_pan_token?: string;
  readonly card_cvv_token?: string;
  readonly card_cryptogram_token?: string;
  /**
   * Whether a response uses up the verification value and cryptogram. True for authorisations,
   * false for authentications.
   */
  readonly consumes_cvv: boolean;
  readonly method: RelayMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for a request without a body. */
  readonly body?: unknown;
  /** Default: `json`. */
  readonly codec?: RelayCodec;
  /** Default: `json`. */
  readonly answer_codec?: AnswerCodec;
  readonly card_fields: CardFields;
  /** Names of the response's headers to return, in lower case. */
  readonly answer_headers?: readonly string[];
  /**
   * Whether the response is a file of at most `LARGE_ANSWER_BYTES_MAX` bytes. Only for a GET without a card whose
   * response is a text. The vault masks card numbers in the text.
   */
  readonly large_answer?: boolean;
  /** Whether the body has a file: the request then goes to `vaultPaths.relayFile`. */
  readonly has_file?: boolean;
  readonly credentials?: Credentials;
  readonly timeout_ms: number;
  /**
   * Milliseconds since 1970, UTC. The vault checks this time just before the first byte. Later it
   * responds `not_sent`, since the server may have inquired already.
   */
  readonly not_after: number;
  /** Whether to send nothing if the verification value of `card_cvv_token` no longer exists. */
  readonly requires_cvv?: boolean;
}

/** Maximum bytes of a relay call with a file: one of 5 MB in base64. */
export const FILE_MESSAGE_BYTES_MAX = 8 * 1024 * 1024;

/** Maximum bytes of a response with `large_answer`. Other responses have at most 64 KiB. */
export const LARGE_ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Milliseconds that a vault's clock may be behind the server's. The server adds them to `not_after`
 * before it assumes that a message was not sent.
 */
export const CLOCK_SKEW_MS_MAX = 2_000;
/**
 * Milliseconds by which two compared clocks may differ. A vault, two servers and the database make
 * a chain of three such differences.
 */
export const CLOCKS_APART_MS_MAX = CLOCK_SKEW_MS_MAX / 4;

/**
 * Result of a relayed request. `not_sent`: no byte left this host, so nothing was charged. `lost`:
 * the processor may have charged.
 */
export type RelayAnswer =
  | {
      readonly id: string;
      readonly outcome: 'answered';
      readonly status: number;
      /** Null if the response has no body. */
      readonly body: unknown;
      /** The requested headers that the response has. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly id: string;
      readonly outcome: 'not_sent';
      readonly why: string;
      /** Cause of a refusal, in a sentence for operators. Names positions and addresses, never a value. */
      readonly detail?: string;
    }
  | { readonly id: string; readonly outcome: 'lost'; readonly why: string };

/**
 * Permanent reasons (`why`) of `not_sent`: the card, its cryptogram or a required verification
 * value no longer exists.
 */
export const cardRefusals = ['unknown_token', 'cryptogram_missing', 'cvv_missing'] as const;
export type CardRefusal = (typeof cardRefusals)[number];

/**
 * Reasons (`why`) of `not_sent` that are in the vault and not in the message. The server itself
 * sets `vault_unreached`.
 */
export const vaultFaults = ['vault_unavailable', 'vault_busy', 'vault_unreached'] as const;
export type VaultFault = (typeof vaultFaults)[number];

/** Whether a reason of `not_sent` means that the vault did not accept the message. */
export const isVaultFault = (why: string): boolean => vaultFaults.includes(why as VaultFault);

/**
 * Maximum number of requests in one relay call. Responses are JSON lines, each sent as soon as it
 * is ready.
 */
export const RELAY_BATCH_MAX = 256;
