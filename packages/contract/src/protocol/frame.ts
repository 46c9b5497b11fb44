/**
 * Messages between the SDK on the merchant's page and the form in its frame. The frame says hello, the SDK responds
 * with a MessagePort, and all further messages use that port.
 */
export const FRAME_PROTOCOL_VERSION = 1;
export const FRAME_HELLO = 'florin:hello';

/** Events that end an attempt to pay; each attempt has exactly one. */
export const terminalEventNames = [
  'payment_approved',
  'subscription_approved',
  'payment_failed',
  'payment_timeout',
] as const;

export const sdkEventNames = [
  'payment_method_verifying',
  'payment_method_changed',
  'payment_method_ready',
  'payment_method_verified',
  'payment_method_failed',
  'payment_method_error',
  ...terminalEventNames,
] as const;
export type SdkEventName = (typeof sdkEventNames)[number];

/** Event data for the merchant's page; never a card number or a verification value. */
export interface SdkEventDetail {
  readonly ready?: boolean;
  readonly brand?: string;
  readonly card_bin?: string;
  readonly last_four?: string;
  readonly expiry_month?: number;
  readonly expiry_year?: number;
  readonly card_pan_token?: string;
  readonly card_cvv_token?: string;
  readonly payment_method?: string;
  readonly payment_demand?: string;
  readonly payment_subscription?: string;
  readonly code?: string;
  readonly message?: string;
}

/**
 * `verify` is answered by one `result` with its id.
 *
 * `cancel` with that id asks to abandon it. An outcome within the grace period is still reported. After it, the result
 * is `payment_timeout` and nothing follows.
 *
 * `listen` asks for the payment's outcome as an event.
 */
export type HostToFrame =
  | { readonly t: 'verify'; readonly id: number }
  | { readonly t: 'listen' }
  | { readonly t: 'cancel'; readonly id: number };

/** Milliseconds in which an abandoned verification may still report its true outcome. */
export const ABANDON_GRACE_MS = 5_000;

/** First message to the frame. Carries the port. */
export interface FrameInit {
  readonly t: 'init';
  readonly v: typeof FRAME_PROTOCOL_VERSION;
  readonly debug: boolean;
}

/**
 * - `ready` carries the frame's title in the form's language.
 * - `overlay` asks for the whole window or returns it: a bank's challenge needs more room than a card form.
 * - `event` reports what happened in the form.
 * - `result` answers a `verify`.
 */
export type FrameToHost =
  | { readonly t: 'ready'; readonly title: string }
  | { readonly t: 'size'; readonly height: number }
  | { readonly t: 'overlay'; readonly on: boolean }
  | { readonly t: 'event'; readonly name: SdkEventName; readonly detail: SdkEventDetail }
  | {
      readonly t: 'result';
      readonly id: number;
      readonly name: SdkEventName;
      readonly detail: SdkEventDetail;
    };

/** Query parameter of the form: the page's language (BCP 47). */
export const LOCALE_PARAMETER = 'locale';
/** Query parameter of the form: one of the form factors. */
export const FORM_PARAMETER = 'form';
/** Query parameter of the form: `true` if the surrounding page is cross-origin isolated. */
export const ISOLATED_PARAMETER = 'crossOriginIsolated';
/** Query parameters of the form: `true` if the page offers the wallet. Named like the SDK options. */
export const walletParameters = { apple_pay: 'applePay', google_pay: 'googlePay' } as const;
export type WalletName = keyof typeof walletParameters;

export type ColorScheme = 'light' | 'dark';
export type FormFactor = 'inputs' | 'embedded';

/** Appearance of the form. Invalid values are ignored and named in the browser's console. */
export interface Appearance {
  /** Text colour, such as `#1b2330` or `rgb(27 35 48)`. */
  readonly color?: string;
  /** Background colour of fields. */
  readonly background?: string;
  /** Colour of focus rings and the pay button. */
  readonly accent?: string;
  /** Corner radius of fields and buttons: 0 to 32 px, such as `8px` or `0.5rem`. */
  readonly radius?: string;
  /** 14 to 24 px, such as `18px` or `1.125rem`. */
  readonly fontSize?: string;
}

/**
 * Options of the page for the form, as JSON in the URL fragment: available before the first paint, sent to no server.
 */
export interface FrameOptions {
  readonly scheme: ColorScheme;
  /** Whether the console explains why an offered wallet is not shown. */
  readonly debug?: boolean | undefined;
  readonly applePay?: boolean | undefined;
  readonly googlePay?: boolean | undefined;
  readonly appearance?: Appearance | undefined;
}

/** Configuration that the server prints into the form's document as JSON. */
export interface FrameConfig {
  readonly session: string;
  readonly payment_id: string;
  /** In minor units. */
  readonly amount: string;
  readonly currency: string;
  /** Amount as the cardholder reads it, in the language of the texts. The server formats it: browsers disagree. */
  readonly amount_text: string;
  readonly mode: 'live' | 'sandbox';
  /** Origins that may mount the form; empty allows any (sandbox only). */
  readonly origins: readonly string[];
  /** Server time in seconds since 1970. The form uses it, because the cardholder's clock may be wrong. */
  readonly issued_at: number;
  readonly sealing_key: {
    readonly kid: string;
    readonly kty: 'EC';
    readonly crv: 'P-256';
    readonly x: string;
    readonly y: string;
  };
  readonly verify_url: string;
  readonly status_url: string;
  readonly abandon_url: string;
  /** Absent if cards are not authenticated in the form. */
  readonly threeds?: ThreeDSecureConfig;
  /** Absent if the page asks for no wallet, or the mode offers none of them. */
  readonly wallets?: WalletsConfig;
  /** Language of the texts (BCP 47). */
  readonly locale: string;
  /** Texts of the form by name. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Where the form loads the bank's pages from, and where it reports the result. */
export interface ThreeDSecureConfig {
  readonly fingerprint_url: string;
  readonly challenge_url: string;
  readonly cancel_url: string;
  /** Milliseconds for the bank's hidden page to inspect the browser. */
  readonly fingerprint_limit_ms: number;
  /** Milliseconds for the bank's page to appear. */
  readonly appear_limit_ms: number;
  /** A challenge that was left open, for example in a closed tab. The form continues it. */
  readonly waiting?: ChallengeInvitation;
}

/** Asks for the bank's page that inspects the browser, as soon as six digits are known. */
export interface FingerprintRequest {
  readonly session: string;
  readonly bin: string;
}

/** Empty if the bank has no such page. */
export interface FingerprintAnswer {
  /** Signed reference that the verification of this card must name. */
  readonly authentication?: string;
  /** On the form's own origin. Redirects to the bank's page and back. */
  readonly page_url?: string;
}

/** Browser details for the bank, beyond the request headers. */
export interface BrowserFacts {
  readonly language: string;
  readonly color_depth: number;
  readonly screen_height: number;
  readonly screen_width: number;
  /** Offset of UTC from the browser's time, in minutes. */
  readonly tz: number;
}

/** A challenge for the cardholder. */
export interface ChallengeInvitation {
  /** Signed reference for the calls about this challenge. */
  readonly authentication: string;
  /** On the form's own origin; for a frame, with the parameter `window`. Redirects to the bank and back. */
  readonly page_url: string;
  /** The same in a new tab, for banks and shops that do not allow framing. */
  readonly tab_url: string;
}

/** A question or a report of the form about its challenge. */
export interface ChallengeCall {
  readonly session: string;
  readonly authentication: string;
  /** Why it is cancelled: by the cardholder, or because the bank's page does not appear. */
  readonly reason?: 'cardholder' | 'not_shown';
}

/** Available wallets, and the address for their tokens. */
export interface WalletsConfig {
  readonly verify_url: string;
  /** URL of the sandbox wallet sheet for this payment. The amount comes from the server, not from the page. */
  readonly apple_pay?: { readonly sheet_url: string };
  /** The same. In live mode, the request for Google's script (its `PaymentDataRequest`). */
  readonly google_pay?: { readonly sheet_url: string } | { readonly request: object };
}

/**
 * First message of the sandbox wallet sheet to the form. The form responds with a port, and the sheet sends one
 * `SheetMessage` over it.
 */
export const WALLET_SHEET_HELLO = 'florin:wallet-sheet';
export type SheetMessage = ({ readonly t: 'paid' } & WalletPayment) | { readonly t: 'cancel' };

/** Payment data of a wallet after the cardholder's approval. */
export interface WalletPayment {
  /** JSON that only the vault can decrypt: Apple's `paymentData`, Google's `tokenizationData.token`. */
  readonly token: string;
  /** If the form asked for it (`embedded`). */
  readonly billing_address?: BillingAddress;
}

/** Body of the form's wallet call; the response is a `VerifyAnswer`. */
export interface WalletRequest extends WalletPayment, Omit<VerifyRequest, 'pan_jwe' | 'cvv_jwe'> {
  readonly wallet: WalletName;
  /** Approved amount in minor units. */
  readonly amount: string;
  readonly currency: string;
}

/** `sid` of sealed cards: the nonce of the mount session, which is the part before its first dot. */
export const sidOf = (session: string): string => session.split('.', 1)[0] ?? '';

/** Claims inside a sealed card, padded to `SEALED_BYTES` so that the length reveals nothing. */
export interface SealedClaims {
  readonly pan?: string;
  readonly cvv?: string;
  readonly expiry_month?: number;
  readonly expiry_year?: number;
  readonly jti: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  readonly pad: string;
}
export const SEALED_BYTES = 256;
/** Maximum age of a sealed card, in seconds. */
export const SEALED_LIFE_SECONDS = 300;

/** Body of the form's verify call. */
export interface VerifyRequest {
  readonly session: string;
  readonly pan_jwe: string;
  readonly cvv_jwe: string;
  readonly timezone: string;
  /** Name of the attempt in this form, for abandoning it: see `isAttempt`. */
  readonly attempt?: string;
  /** If the form asks for it (`embedded`). */
  readonly billing_address?: BillingAddress;
  /** Signed reference of the bank's browser inspection, if there was one. */
  readonly authentication?: string;
  readonly browser?: BrowserFacts;
}

/** Whether a text can name an attempt: 16 to 64 random base64url characters. */
export const isAttempt = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w-]{16,64}$/.test(text);

/**
 * Asks to abandon an attempt, by its name or by the signed reference of an open challenge. The attempt may arrive
 * later. The response is a `VerifyAnswer`: `failed` with `ABANDONED`, or the outcome that came first.
 */
export interface AbandonRequest {
  readonly session: string;
  readonly attempt?: string;
  readonly authentication?: string;
}

/** Code of an abandoned attempt: its card is not attached to the payment. */
export const ABANDONED = 'abandoned';

/** Billing address; `state` and `zip` are empty in countries without them. */
export interface BillingAddress {
  readonly line_1: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export type VerifyAnswer =
  | {
      readonly result: 'challenge';
      readonly detail: SdkEventDetail;
      readonly challenge: ChallengeInvitation;
    }
  | { readonly result: 'verified' | 'failed'; readonly detail: SdkEventDetail }
  | {
      readonly result: 'error';
      readonly detail: SdkEventDetail & { readonly code: string; readonly message: string };
    };

/** Response of the form's status call. */
export interface StatusAnswer {
  readonly status: 'waiting' | 'approved' | 'failed';
  readonly detail: SdkEventDetail;
}
