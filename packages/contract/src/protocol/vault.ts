/**
 * Protocol between server and vault: JSON over HTTP on a private socket. The server sends sealed cards and tokens;
 * responses never contain a card number or a verification value.
 */
import type { CardBrand } from '../card/networks.ts';

/** Paths of the vault's socket, all POST unless noted. */
export const vaultPaths = {
  /** GET: public sealing keys, for each mode the current one, then the next. */
  keys: '/keys',
  /** GET: `WalletKeys` per mode, for the form's wallets. */
  walletKeys: '/wallet-keys',
  ingest: '/ingest',
  describe: '/describe',
  /** Keeps a card for a payment method; unattached cards are deleted after an hour. Responds with `{}`. */
  attach: '/attach',
  /** Destroys a card. Responds with `{}`. */
  destroy: '/destroy',
  relay: '/relay',
  /** GET: a `VaultHealth`. */
  health: '/health',
} as const;

/** Health of a vault that responds. */
export interface VaultHealth {
  /** The vault's clock: milliseconds since 1970, UTC. */
  readonly now: number;
  /** `degraded`: a key is missing, so cards fail on this vault. */
  readonly status: 'ok' | 'degraded';
  readonly root_keys: {
    /** Root key versions in use that this vault does not have. */
    readonly lacks: readonly number[];
    /** Vaults that lack the next version. No vault uses it before all have it. */
    readonly waits_for: number;
    /** Whether a rotation is due that an operator must start, because the key has to be copied to other vaults. */
    readonly is_due: boolean;
  };
}

/** Paths of the operators' socket, all POST. Each responds with lines of `VaultAdminLine`. */
export const vaultAdminPaths = {
  rotate: '/rotate',
  retire: '/retire',
  destroy: '/destroy',
  audit: '/audit/verify',
  auditExport: '/audit/export',
} as const;

/** Signed head of the vault's audit chain: `hash` covers all entries up to `seq`. */
export interface AuditHead {
  readonly seq: number;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** ISO 8601. */
  readonly at: string;
  /** Ed25519, SPKI in base64. */
  readonly public_key: string;
  /** Base64 signature of the lines `florin audit head 1`, `seq`, `hash` and `at`. */
  readonly signature: string;
}

/** One sentence for the operator. Only the last line has `ok`. Empty lines keep the connection open. */
export interface VaultAdminLine {
  readonly text?: string;
  readonly head?: AuditHead;
  readonly ok?: boolean;
}

export type Mode = 'live' | 'sandbox';

/** P-256 public key with which the hosted form seals a card. */
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

/** Maximum size of a wallet token, in bytes of JSON. */
export const WALLET_TOKEN_BYTES_MAX = 16 * 1024;

/** Encryption keys for wallets in a mode; a wallet without a setup is absent. */
export interface WalletKeys {
  readonly mode: Mode;
  readonly apple_pay?: {
    readonly merchant_identifier: string;
    /** SHA-256 of the public key's SPKI in base64: Apple's `publicKeyHash`. */
    readonly public_key_hash: string;
    /** Base64 SPKI that the sandbox wallet sheet encrypts for. */
    readonly public_key: string;
  };
  readonly google_pay?: {
    /** `gateway:<name>` or `merchant:<id>`, as Google signs it. */
    readonly recipient_id: string;
    /**
     * The gateway's name. With a gateway, a request's `gatewayMerchantId` must be the Florin merchant's id; otherwise
     * `DIRECT`.
     */
    readonly gateway?: string;
    /** Merchant id from Google's console, required by Google's sheet; absent in the sandbox. */
    readonly merchant_id?: string;
    /** Uncompressed point of P-256 in base64: Google's `publicKey` of a `DIRECT` ECv2 request. */
    readonly public_key: string;
  };
}

/** Sealed card, wallet token or sandbox test token, to be exchanged for card tokens. */
export interface IngestRequest {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly source:
    | {
        readonly kind: 'sealed';
        /** Compact JWE of the number and expiry. */
        readonly pan_jwe: string;
        /** Compact JWE of the verification value; absent if the form did not ask for it. */
        readonly cvv_jwe?: string;
        /** Mount session; both JWEs must name it in their `sid` header. */
        readonly sid: string;
      }
    | {
        readonly kind: 'wallet';
        readonly wallet: WalletKind;
        /** The wallet's JSON: Apple's `paymentData`, Google's `tokenizationData.token`. */
        readonly token: string;
        /** Opening a token twice in one mount session gives the same result; another session is refused. */
        readonly sid: string;
        /** Minor units. Refuses an Apple Pay token for another amount; Google's tokens carry none. */
        readonly amount?: number;
        /** ISO 4217 code of `amount`, compared like it. */
        readonly currency?: string;
      }
    | {
        readonly kind: 'test_token';
        readonly pan_token: string;
        readonly cvv_token?: string;
        readonly expiry_month: number;
        readonly expiry_year: number;
      };
}

/** Card data that may leave the vault. */
export interface CardDescription {
  readonly card_pan_token: string;
  /** First six digits. */
  readonly card_bin: string;
  readonly last_four: string;
  readonly kind: CardBrand;
  readonly expiry_month: number;
  readonly expiry_year: number;
  /** Keyed per merchant: equal cards of one merchant have equal fingerprints; comparing merchants is meaningless. */
  readonly fingerprint: string;
  readonly card_cvv_token?: string;
  /** Present for wallet cards. Their number usually belongs to the device, not to the printed card. */
  readonly wallet?: CardWallet;
  /** Present if the wallet authenticated the cardholder. Used once, like a verification value. */
  readonly card_cryptogram_token?: string;
}

export interface CardWallet {
  readonly kind: WalletKind;
  /**
   * Whether the cardholder's device authenticated the payer (`3DSecure`, `CRYPTOGRAM_3DS`). Otherwise 3-D Secure is
   * needed.
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
  /** The operator has not set this wallet up in this mode. */
  | 'wallet_not_configured'
  | 'invalid_card'
  | 'unknown_token'
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
 * Values that the vault can fill in. Month has two digits, year four; a cryptogram is base64. An ECI has two digits and
 * exists only if the wallet sent one.
 */
export const cardFields = [
  'pan',
  'cvv',
  'expiry_month',
  'expiry_year',
  'cryptogram',
  'eci',
] as const;
export type CardField = (typeof cardFields)[number];

/**
 * Card positions in a request body: JSON Pointers (RFC 6901) to null members, each with its card field. The body cannot
 * name them itself, so that no merchant text can ask for a card.
 */
export type CardFields = Readonly<Record<string, CardField>>;

/**
 * One request to a processor. The vault fills in `card_fields`, drops members without a value, and sends the body to
 * `url`, whose origin must be on the egress list. A request that names a missing cryptogram is not sent: the processor
 * would accept it without the proof.
 */
export interface RelayRequest {
  /** Id of the attempt; repeated in its response. */
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly card_pan_token: string;
  readonly card_cvv_token?: string;
  readonly card_cryptogram_token?: string;
  /**
   * Whether a response uses up the verification value and cryptogram: true for authorisations, false for
   * authentications.
   */
  readonly consumes_cvv: boolean;
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly card_fields: CardFields;
  readonly timeout_ms: number;
  /**
   * Milliseconds since 1970, UTC. The vault checks it just before the first byte and responds `not_sent` afterwards: by
   * then the server may have inquired elsewhere.
   */
  readonly not_after: number;
  /** Whether to send nothing if the value of `card_cvv_token` no longer exists. */
  readonly requires_cvv?: boolean;
}

/**
 * Maximum lag of a vault's clock behind the server's. The server assumes that a message never left only after
 * `not_after` plus this.
 */
export const CLOCK_SKEW_MS_MAX = 2_000;
/** Maximum difference of two compared clocks. A chain of three links connects a vault, two servers and the database. */
export const CLOCKS_APART_MS_MAX = CLOCK_SKEW_MS_MAX / 4;

/**
 * Result of a relayed request. `not_sent`: nothing left this machine, so nothing was charged. `lost`: the processor may
 * have charged.
 */
export type RelayAnswer =
  | {
      readonly id: string;
      readonly outcome: 'answered';
      readonly status: number;
      readonly body: unknown;
    }
  | { readonly id: string; readonly outcome: 'not_sent'; readonly why: string }
  | { readonly id: string; readonly outcome: 'lost'; readonly why: string };

/** `why` of a permanent `not_sent`: the card, its cryptogram or a required verification value no longer exists. */
export const cardRefusals = ['unknown_token', 'cryptogram_missing', 'cvv_missing'] as const;
export type CardRefusal = (typeof cardRefusals)[number];

/** `why` of a `not_sent` with its cause in the vault, not in the message. The server itself sets `vault_unreached`. */
export const vaultFaults = ['vault_unavailable', 'vault_busy', 'vault_unreached'] as const;
export type VaultFault = (typeof vaultFaults)[number];

/** Whether this `why` means that the vault never accepted the message. */
export const isVaultFault = (why: string): boolean => vaultFaults.includes(why as VaultFault);

/** Maximum requests in one relay call. Responses arrive as JSON lines, each as soon as it is ready. */
export const RELAY_BATCH_MAX = 256;
