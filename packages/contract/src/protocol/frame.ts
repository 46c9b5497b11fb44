/**
 * Messages between the SDK on the merchant's page and the form in its frame. The frame sends
 * `FRAME_HELLO`. The SDK responds with a MessagePort, which carries all further messages.
 */
export const FRAME_PROTOCOL_VERSION = 1;
export const FRAME_HELLO = 'florin:hello';

/** Events that end an attempt to pay. Each attempt has exactly one of them. */
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

/** Data of an event on the merchant's page. Never contains a card number or verification value. */
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
  /** Field of the billing address that a refusal is about. */
  readonly field?: keyof BillingAddress;
}

/**
 * - `verify`: verifies the card. The form responds with one `result` of the same id.
 * - `cancel`: abandons the verification with this id. An outcome within the grace period is still
 * reported. Afterwards the result is `payment_timeout`, and nothing follows.
 * - `listen`: requests an event with the payment's outcome.
 */
export type HostToFrame =
  | { readonly t: 'verify'; readonly id: number }
  | { readonly t: 'listen' }
  | { readonly t: 'cancel'; readonly id: number };

/** Milliseconds after `cancel` in which a verification may still report its outcome. */
export const ABANDON_GRACE_MS = 5_000;

/** First message to the frame. Carries the MessagePort. */
export interface FrameInit {
  readonly t: 'init';
  readonly v: typeof FRAME_PROTOCOL_VERSION;
  readonly debug: boolean;
}

/**
 * - `ready`: the form is shown. Carries the frame's title in the form's language.
 * - `overlay`: requests the complete window for a bank's challenge, or returns to the normal size.
 * - `event`: reports an event of the form.
 * - `result`: response to a `verify`.
 */
export type FrameToHost =
  | { readonly t: 'ready'; readonly title: string }
  | { readonly t: 'size'; readonly height: number }
  | { readonly t: 'overlay'; readonly on: boolean }
  /** Enter in a card field of a form without a button of its own. */
  | { readonly t: 'enter' }
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
/**
 * Query parameters of the form: `true` if the page offers the wallet. Same names as the SDK's
 * options.
 */
export const walletParameters = { apple_pay: 'applePay', google_pay: 'googlePay' } as const;
export type WalletName = keyof typeof walletParameters;

export type ColorScheme = 'light' | 'dark';
export type FormFactor = 'inputs' | 'embedded';

/** Appearance of the form. The form ignores invalid values and warns in the browser's console. */
export interface Appearance {
  /** Text colour, such as `#1b2330` or `rgb(27 35 48)`. */
  readonly color?: string;
  /** Background colour of fields. */
  readonly background?: string;
  /** Colour of focus rings and the pay button. */
  readonly accent?: string;
  /** Corner radius of fields and buttons: 0 to 32 px, as `8px` or `0.5rem`. */
  readonly radius?: string;
  /** Font size: 14 to 24 px, as `18px` or `1.125rem`. */
  readonly fontSize?: string;
}

/**
 * The page's options for the form, as JSON in the URL fragment. The form has them before the first
 * paint, and no server receives them.
 */
export interface FrameOptions {
  readonly scheme: ColorScheme;
  /** Whether the console explains why the form hides an offered wallet. */
  readonly debug?: boolean | undefined;
  readonly applePay?: boolean | undefined;
  readonly googlePay?: boolean | undefined;
  readonly appearance?: Appearance | undefined;
}

/** Configuration of the form. The server writes it into the form's document as JSON. */
export interface FrameConfig {
  readonly session: string;
  readonly payment_id: string;
  /** Amount in minor units. */
  readonly amount: string;
  readonly currency: string;
  /**
   * Amount as text in the form's language. Formatted by the server, since browsers format
   * differently.
   */
  readonly amount_text: string;
  readonly mode: 'live' | 'sandbox';
  /** Origins that may mount the form. Empty allows any origin, in the sandbox only. */
  readonly origins: readonly string[];
  /**
   * Server time in seconds since 1970. The form uses it, since the cardholder's clock may be wrong.
   */
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
  /** Absent if the form does not authenticate cardholders. */
  readonly threeds?: ThreeDSecureConfig;
  /** Absent if the page requests no wallet, or the mode offers none of the requested ones. */
  readonly wallets?: WalletsConfig;
  /** Language of the texts (BCP 47). */
  readonly locale: string;
  /** Texts of the form by name. */
  readonly texts: Readonly<Record<string, string>>;
}

/** URLs and time limits of 3-D Secure in the form. */
export interface ThreeDSecureConfig {
  readonly fingerprint_url: string;
  readonly challenge_url: string;
  readonly cancel_url: string;
  /** Milliseconds for the bank's hidden page to inspect the browser. */
  readonly fingerprint_limit_ms: number;
  /** Milliseconds for the bank's challenge page to appear. */
  readonly appear_limit_ms: number;
  /** An open challenge, for example from a closed tab. The form continues it. */
  readonly waiting?: ChallengeInvitation;
}

/** Request for the bank's fingerprinting page. Sent as soon as six digits are typed. */
export interface FingerprintRequest {
  readonly session: string;
  readonly bin: string;
}

/** Response to a `FingerprintRequest`. Empty if the bank has no fingerprinting page. */
export interface FingerprintAnswer {
  /** Signed reference. The verification of this card must send it. */
  readonly authentication?: string;
  /** URL on the form's origin. Redirects to the bank's page and back. */
  readonly page_url?: string;
}

/** Facts about the browser for the bank, in addition to the request headers. */
export interface BrowserFacts {
  readonly language: string;
  readonly color_depth: number;
  readonly screen_height: number;
  readonly screen_width: number;
  /** Minutes from the browser's time to UTC (`getTimezoneOffset`). */
  readonly tz: number;
}

/** A challenge that the form must show. */
export interface ChallengeInvitation {
  /** Signed reference for calls about this challenge. */
  readonly authentication: string;
  /**
   * URL on the form's origin. Redirects to the bank and back. A frame adds the parameter `window`.
   */
  readonly page_url: string;
  /** URL for a new tab, for banks and shops that forbid frames. */
  readonly tab_url: string;
}

/** A form's poll or report about its challenge. */
export interface ChallengeCall {
  readonly session: string;
  readonly authentication: string;
  /** Reason of a cancellation: the cardholder cancelled, or the bank's page did not appear. */
  readonly reason?: 'cardholder' | 'not_shown';
}

/** Available wallets, and the URL to which the form sends their tokens. */
export interface WalletsConfig {
  readonly verify_url: string;
  /** URL of the sandbox wallet sheet for this payment. The server sets the amount, not the page. */
  readonly apple_pay?: { readonly sheet_url: string };
  /**
   * The sandbox sheet's URL. In live mode, the request for Google's script (its
   * `PaymentDataRequest`).
   */
  readonly google_pay?: { readonly sheet_url: string } | { readonly request: object };
}

/**
 * First message of the sandbox wallet sheet to the form. The form responds with a MessagePort. The
 * sheet sends one `SheetMessage` over it.
 */
export const WALLET_SHEET_HELLO = 'florin:wallet-sheet';
export type SheetMessage = ({ readonly t: 'paid' } & WalletPayment) | { readonly t: 'cancel' };

/** Payment data of a wallet, after the cardholder's approval. */
export interface WalletPayment {
  /**
   * JSON that only the vault decrypts: Apple's `paymentData`, Google's `tokenizationData.token`.
   */
  readonly token: string;
  /** Present if the form requested the address (`embedded`). */
  readonly billing_address?: BillingAddress;
}

/** Body of the form's wallet call. The response is a `VerifyAnswer`. */
export interface WalletRequest extends WalletPayment, Omit<VerifyRequest, 'pan_jwe' | 'cvv_jwe'> {
  readonly wallet: WalletName;
  /** Amount that the cardholder approved, in minor units. */
  readonly amount: string;
  readonly currency: string;
}

/**
 * `sid` of encrypted cards: the nonce of the mount session. The nonce is the part before the
 * session's first dot.
 */
export const sidOf = (session: string): string => session.split('.', 1)[0] ?? '';

/**
 * Claims inside an encrypted card. Padded to `SEALED_BYTES`, so that the length reveals nothing.
 */
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
/** Lifetime of an encrypted card in seconds. */
export const SEALED_LIFE_SECONDS = 300;

/** Body of the form's verify call. The response is a `VerifyAnswer`. */
export interface VerifyRequest {
  readonly session: string;
  readonly pan_jwe: string;
  readonly cvv_jwe: string;
  readonly timezone: string;
  /** The form's own id of the attempt, by which the form may abandon it. See `isAttempt`. */
  readonly attempt?: string;
  /** Present if the form requested the address (`embedded`). */
  readonly billing_address?: BillingAddress;
  /** Signed reference of the bank's fingerprinting, if it happened. */
  readonly authentication?: string;
  readonly browser?: BrowserFacts;
}

/** Whether a text has the form of an attempt's id: 16 to 64 random base64url characters. */
export const isAttempt = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w-]{16,64}$/.test(text);

/**
 * Abandons an attempt, by its id or by the signed reference of an open challenge. The attempt may arrive later.
 * The response is a `VerifyAnswer`: `failed` with `ABANDONED`, or the attempt's outcome if there already is one.
 */
export interface AbandonRequest {
  readonly session: string;
  readonly attempt?: string;
  readonly authentication?: string;
}

/** Code of an abandoned attempt: its card is not attached to the payment. */
export const ABANDONED = 'abandoned';

/** Billing address. `state` and `zip` are empty in countries without them. */
export interface BillingAddress {
  readonly line_1: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** URL on the form's origin that returns `StateName[]`, followed by a country (alpha-2). */
export const STATES_URL = '/frame/v1/states/';
/** A state: its ISO 3166-2 code without the country, and its name. */
export type StateName = readonly [code: string, name: string];

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
