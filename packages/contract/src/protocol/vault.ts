/**
 * What the server and the vault say to each other: JSON over HTTP on a private socket. The server
 * sends sealed cards and tokens; no answer ever holds a card number or a verification value.
 */
import type { CardBrand } from '../card/networks.ts';

/** Paths of the vault's socket, all POST unless noted. */
export const vaultPaths = {
  /** GET: public halves of the sealing keys: of each mode the one to seal with, then the next. */
  keys: '/keys',
  /** GET: what a form has to tell wallets, a `WalletKeys` of each mode. */
  walletKeys: '/wallet-keys',
  ingest: '/ingest',
  describe: '/describe',
  /** Keeps a card that a payment method has; one that none has is forgotten after an hour. Answers `{}`. */
  attach: '/attach',
  /** Destroys a card. Answers `{}`. */
  destroy: '/destroy',
  relay: '/relay',
  /** GET: a `VaultHealth`. */
  health: '/health',
} as const;

/** How a vault is that answers at all. */
export interface VaultHealth {
  /** By its own clock: milliseconds since 1970, UTC. */
  readonly now: number;
  /** `degraded`: it lacks a key, so that cards fail here. */
  readonly status: 'ok' | 'degraded';
  readonly root_keys: {
    /** Versions of the root key that wrap keys and do not open here. */
    readonly lacks: readonly number[];
    /** How many vaults lack the next version, which is not used before all of them hold it. */
    readonly waits_for: number;
    /** Whether a rotation is due that wants an operator, as the key has to be carried to other vaults. */
    readonly is_due: boolean;
  };
}

/** Paths of the operators' socket, all POST. Each answers with lines of `VaultAdminLine`. */
export const vaultAdminPaths = {
  rotate: '/rotate',
  retire: '/retire',
  destroy: '/destroy',
  audit: '/audit/verify',
  auditExport: '/audit/export',
} as const;

/** The newest entry of the vault's audit at a time, signed: `hash` covers all entries up to it. */
export interface AuditHead {
  readonly seq: number;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** ISO 8601. */
  readonly at: string;
  /** Ed25519, SPKI in base64. */
  readonly public_key: string;
  /** In base64, of the lines `florin audit head 1`, `seq`, `hash` and `at`. */
  readonly signature: string;
}

/** A sentence for the operator; `ok` stands in the last line alone. Empty lines keep the connection open. */
export interface VaultAdminLine {
  readonly text?: string;
  readonly head?: AuditHead;
  readonly ok?: boolean;
}

export type Mode = 'live' | 'sandbox';

/** A P-256 public key as the hosted form needs it to seal a card. */
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

/** Longest token of a wallet, in bytes of JSON. */
export const WALLET_TOKEN_BYTES_MAX = 16 * 1024;

/** What wallets encrypt for in a mode; a wallet that the operator has not set up is absent. */
export interface WalletKeys {
  readonly mode: Mode;
  readonly apple_pay?: {
    readonly merchant_identifier: string;
    /** SHA-256 of the public key's SPKI in base64: Apple's `publicKeyHash`. */
    readonly public_key_hash: string;
    /** SPKI in base64: what the sandbox's wallet sheet encrypts for. */
    readonly public_key: string;
  };
  readonly google_pay?: {
    /** `gateway:<name>` or `merchant:<id>`, as Google signs it. */
    readonly recipient_id: string;
    /** The gateway's name. With one, a request's `gatewayMerchantId` must be the Florin merchant's id; without, it is `DIRECT`. */
    readonly gateway?: string;
    /** What Google's console calls who asks, which its own sheet has to be told; in the sandbox there is none. */
    readonly merchant_id?: string;
    /** Uncompressed point of P-256 in base64: Google's `publicKey` of a `DIRECT` ECv2 request. */
    readonly public_key: string;
  };
}

/** Sealed card of the hosted form, token of a wallet, or a named test token of the sandbox, to be turned into tokens. */
export interface IngestRequest {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly source:
    | {
        readonly kind: 'sealed';
        /** Compact JWE of the number and expiry. */
        readonly pan_jwe: string;
        /** Compact JWE of the verification value; absent where the form did not ask for one. */
        readonly cvv_jwe?: string;
        /** The mount session that both must name in their `sid` header. */
        readonly sid: string;
      }
    | {
        readonly kind: 'wallet';
        readonly wallet: WalletKind;
        /** What the wallet gave, as JSON: Apple's `paymentData`, Google's `tokenizationData.token`. */
        readonly token: string;
        /** Opened twice in one mount session, it gives the same tokens; in another it is refused. */
        readonly sid: string;
        /** Minor units. Refuses an Apple Pay token that was approved for another amount; Google's do not say. */
        readonly amount?: number;
        /** ISO 4217 code, which `amount` is of. Compared as that is. */
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

/** What may be known of a card outside the vault. */
export interface CardDescription {
  readonly card_pan_token: string;
  /** First six digits. */
  readonly card_bin: string;
  readonly last_four: string;
  readonly kind: CardBrand;
  readonly expiry_month: number;
  readonly expiry_year: number;
  /** Keyed per merchant: equal for equal cards of one merchant, meaningless elsewhere. */
  readonly fingerprint: string;
  readonly card_cvv_token?: string;
  /** Present where a wallet gave the card; its number is then mostly the device's, not the one printed on the card. */
  readonly wallet?: CardWallet;
  /** Present when the card comes from a wallet that authenticated the cardholder. Used once, as a verification value is. */
  readonly card_cryptogram_token?: string;
}

export interface CardWallet {
  readonly kind: WalletKind;
  /** Whether the cardholder's device proved who pays (`3DSecure`, `CRYPTOGRAM_3DS`); what is not wants 3-D Secure. */
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

/** Names a card to describe, attach or destroy. */
export interface CardRequest {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly card_pan_token: string;
}

/**
 * What the vault can put into a request: digits, of which the month has two and the year four, and what a
 * wallet's cryptogram token stands for: base64, and an ECI of two digits where the wallet gave one.
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
 * Where in a request's body the card belongs: JSON pointers (RFC 6901) to members that are null, each with
 * what stands there once it is sent. Values never say so themselves: no text of a merchant can ask for a card.
 */
export type CardFields = Readonly<Record<string, CardField>>;

/**
 * One request to a processor. The vault fills the members of `body` that `card_fields` names, leaves out
 * those it has no value for, and sends the request to `url`, whose origin must be on its egress list. One
 * that names a cryptogram is not sent without it: what it was to prove would be left out unseen.
 */
export interface RelayRequest {
  /** The attempt's id; comes back with its answer. */
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly card_pan_token: string;
  readonly card_cvv_token?: string;
  readonly card_cryptogram_token?: string;
  /** Whether an answer uses up the verification value and the cryptogram. An authorisation does, an authentication does not. */
  readonly consumes_cvv: boolean;
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly card_fields: CardFields;
  readonly timeout_ms: number;
  /**
   * Milliseconds since 1970, UTC. The vault checks it right before the first byte, and answers `not_sent` where it has
   * come: by then the server may have asked for the message elsewhere.
   */
  readonly not_after: number;
  /** Whether the message stays where `card_cvv_token` names a value that is there no more. */
  readonly requires_cvv?: boolean;
}

/**
 * How far the clock of a vault may be behind that of a server which asks what became of its message. The server believes
 * that a message never left only when `not_after` is past by this much.
 */
export const CLOCK_SKEW_MS_MAX = 2_000;
/** How far two clocks may be apart that are compared. A chain of three links a vault, two servers and the database. */
export const CLOCKS_APART_MS_MAX = CLOCK_SKEW_MS_MAX / 4;

/**
 * What became of a relayed request. `not_sent` means that nothing left this machine, so nothing can
 * have been charged; `lost` means that it may have been.
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

/** Each `why` of a `not_sent` that stays: the card, its cryptogram or a verification value that is required is there no more. */
export const relayDeadEnds = ['unknown_token', 'cryptogram_missing', 'cvv_missing'] as const;
export type RelayDeadEnd = (typeof relayDeadEnds)[number];

/** Each `why` of a `not_sent` that is about the vault, not about the message. The server says `vault_unreached` itself. */
export const vaultTroubles = ['vault_unavailable', 'vault_busy', 'vault_unreached'] as const;
export type VaultTrouble = (typeof vaultTroubles)[number];

/** Whether the vault never took the message that this is the `why` of. */
export const isVaultTrouble = (why: string): boolean => vaultTroubles.includes(why as VaultTrouble);

/** Most requests in one relay call. Answers come back as JSON lines, each as soon as it is there. */
export const RELAY_BATCH_MAX = 256;
