/**
 * What the SDK on the merchant's page and the form inside the frame say to each other. The frame
 * says hello; the SDK answers with one MessagePort, and all else goes over that port.
 */
export const FRAME_PROTOCOL_VERSION = 1;
export const FRAME_HELLO = 'florin:hello';

/** The events that end an attempt to pay; each attempt has exactly one of them. */
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

/** What an event may tell the merchant's page; never a card number or a verification value. */
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
 * `verify` is answered by one `result` with its id. `cancel` with that id asks to abandon it: what its
 * outcome is by the end of the grace is still told, afterwards it is `payment_timeout` and nothing
 * follows. `listen` asks for the payment's outcome as an event.
 */
export type HostToFrame =
  | { readonly t: 'verify'; readonly id: number }
  | { readonly t: 'listen' }
  | { readonly t: 'cancel'; readonly id: number };

/** How long an abandoned verification may still tell its true outcome, in milliseconds. */
export const ABANDON_GRACE_MS = 5_000;

/** First message to the frame; it carries the port. */
export interface FrameInit {
  readonly t: 'init';
  readonly v: typeof FRAME_PROTOCOL_VERSION;
  readonly debug: boolean;
}

/**
 * `ready` carries the frame's title in the language of the form. `overlay` asks for the whole window, or gives it
 * back: a bank's challenge needs more room than a card form. `event` tells what the form did of itself,
 * `result` answers a `verify`.
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

/** Query parameter of the form's address that names the language the page wants (BCP 47). */
export const LOCALE_PARAMETER = 'locale';
/** Query parameter of the form's address that is one of the form factors. */
export const FORM_PARAMETER = 'form';
/** Query parameter that is `true` where the page around the form is cross-origin isolated. */
export const ISOLATED_PARAMETER = 'crossOriginIsolated';
/** Query parameters that are `true` where the page offers that wallet, named as the options of the SDK. */
export const walletParameters = { apple_pay: 'applePay', google_pay: 'googlePay' } as const;
export type WalletName = keyof typeof walletParameters;

export type ColorScheme = 'light' | 'dark';
export type FormFactor = 'inputs' | 'embedded';

/** How the form looks. What cannot be used is left out, and the browser's console says which. */
export interface Appearance {
  /** Colour of the text, such as `#1b2330` or `rgb(27 35 48)`. */
  readonly color?: string;
  /** Colour of fields' background. */
  readonly background?: string;
  /** Colour of focus and of the pay button. */
  readonly accent?: string;
  /** Of the corners of fields and buttons, 0 to 32 px, such as `8px` or `0.5rem`. */
  readonly radius?: string;
  /** 14 to 24 px, such as `18px` or `1.125rem`. */
  readonly fontSize?: string;
}

/** What the page wants of the form. It is the fragment of its address, as JSON: there before the first paint, and sent to no server. */
export interface FrameOptions {
  readonly scheme: ColorScheme;
  /** Whether the console is told why a wallet that the page offers is not shown. */
  readonly debug?: boolean | undefined;
  readonly applePay?: boolean | undefined;
  readonly googlePay?: boolean | undefined;
  readonly appearance?: Appearance | undefined;
}

/** What the server prints into the form's document as JSON. */
export interface FrameConfig {
  readonly session: string;
  readonly payment_id: string;
  /** In minor units. */
  readonly amount: string;
  readonly currency: string;
  /** Both as the cardholder reads them, in the language of the texts: browsers do not agree how. */
  readonly amount_text: string;
  readonly mode: 'live' | 'sandbox';
  /** Origins that may mount the form; empty means any (sandbox only). */
  readonly origins: readonly string[];
  /** The server's time in seconds since 1970. The form reckons from it: a cardholder's clock may be wrong. */
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
  /** Absent where cards are not authenticated in the form. */
  readonly threeds?: ThreeDSecureConfig;
  /** Absent where the page asks for no wallet, or the mode has none of those it asks for. */
  readonly wallets?: WalletsConfig;
  /** Language of the texts (BCP 47). */
  readonly locale: string;
  /** What the form says, by name. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Where the form has the bank's pages from, and what became of them. */
export interface ThreeDSecureConfig {
  readonly fingerprint_url: string;
  readonly challenge_url: string;
  readonly cancel_url: string;
  /** How long the bank's hidden page may look at the browser, in milliseconds. */
  readonly fingerprint_limit_ms: number;
  /** How long the bank's page may take to appear, in milliseconds. */
  readonly appear_limit_ms: number;
  /** A challenge that was left open, as by a tab that was closed: the form goes on with it. */
  readonly waiting?: ChallengeInvitation;
}

/** Asks which page of the card's bank wants to look at the browser, once the first six digits are there. */
export interface FingerprintRequest {
  readonly session: string;
  readonly bin: string;
}

/** Empty where the bank has no such page. */
export interface FingerprintAnswer {
  /** The handle that the verification of this card is to name. */
  readonly authentication?: string;
  /** On the form's own origin; it leads to the bank's page and back. */
  readonly page_url?: string;
}

/** What the bank may know of the browser, beside what its requests tell. */
export interface BrowserFacts {
  readonly language: string;
  readonly color_depth: number;
  readonly screen_height: number;
  readonly screen_width: number;
  /** Minutes that UTC is ahead of the browser. */
  readonly tz: number;
}

/** A challenge that the cardholder is to go through. */
export interface ChallengeInvitation {
  /** The handle that names it in the calls about it. */
  readonly authentication: string;
  /** On the form's own origin, to be shown in a frame with the parameter `window`; it leads to the bank and back. */
  readonly page_url: string;
  /** The same way in a tab of its own, for banks and shops whose pages do not go into one another. */
  readonly tab_url: string;
}

/** What the form asks about its challenge, or tells of it. */
export interface ChallengeCall {
  readonly session: string;
  readonly authentication: string;
  /** Why it is cancelled: the cardholder wants to, or the bank's page does not appear. */
  readonly reason?: 'cardholder' | 'not_shown';
}

/** The wallets that can pay here, and where their tokens go. */
export interface WalletsConfig {
  readonly verify_url: string;
  /** Address of the sandbox's sheet for this payment: it has the amount from the server, not from the page. */
  readonly apple_pay?: { readonly sheet_url: string };
  /** The same, or in live mode what Google's script is asked for (its `PaymentDataRequest`). */
  readonly google_pay?: { readonly sheet_url: string } | { readonly request: object };
}

/**
 * What the sandbox's wallet sheet says first, to the form around it, which answers with one port. The sheet
 * sends one `SheetMessage` over that.
 */
export const WALLET_SHEET_HELLO = 'florin:wallet-sheet';
export type SheetMessage = ({ readonly t: 'paid' } & WalletPayment) | { readonly t: 'cancel' };

/** What a wallet gives when the cardholder has approved. */
export interface WalletPayment {
  /** JSON that only the vault can read: Apple's `paymentData`, Google's `tokenizationData.token`. */
  readonly token: string;
  /** Where the form asked for it (`embedded`). */
  readonly billing_address?: BillingAddress;
}

/** Body of the form's call with a wallet's token; its answer is a `VerifyAnswer`. */
export interface WalletRequest extends WalletPayment, Omit<VerifyRequest, 'pan_jwe' | 'cvv_jwe'> {
  readonly wallet: WalletName;
  /** What the cardholder approved, in minor units. */
  readonly amount: string;
  readonly currency: string;
}

/** What sealed cards name as `sid`: the nonce of the mount session, which is its part before the first dot. */
export const sidOf = (session: string): string => session.split('.', 1)[0] ?? '';

/** Claims inside a sealed card; padded to `SEALED_BYTES` so that the length tells nothing. */
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
/** Longest life of a sealed card, in seconds. */
export const SEALED_LIFE_SECONDS = 300;

/** Body of the form's verify call, and its answer. */
export interface VerifyRequest {
  readonly session: string;
  readonly pan_jwe: string;
  readonly cvv_jwe: string;
  readonly timezone: string;
  /** Names the attempt in this form, so that it can be abandoned: see `isAttempt`. */
  readonly attempt?: string;
  /** Where the form asks for it (`embedded`). */
  readonly billing_address?: BillingAddress;
  /** The handle of the bank's look at the browser, where there was one. */
  readonly authentication?: string;
  readonly browser?: BrowserFacts;
}

/** Whether a text can name an attempt: random, 16 to 64 characters of base64url. */
export const isAttempt = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w-]{16,64}$/.test(text);

/**
 * Asks to abandon an attempt, also one that has not come yet: by its name, or by the handle of a challenge that was
 * left open. Its answer is a `VerifyAnswer`: `failed` with `ABANDONED`, or the truth where that came first.
 */
export interface AbandonRequest {
  readonly session: string;
  readonly attempt?: string;
  readonly authentication?: string;
}

/** The code of an attempt that was abandoned: its card is not put on the payment. */
export const ABANDONED = 'abandoned';

/** Where the cardholder gets bills; `state` and `zip` are empty in countries without them. */
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

/** Answer of the form's status call. */
export interface StatusAnswer {
  readonly status: 'waiting' | 'approved' | 'failed';
  readonly detail: SdkEventDetail;
}
