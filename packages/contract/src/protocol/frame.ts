/**
 * What the SDK on the merchant's page and the form inside the frame say to each other. The frame
 * says hello; the SDK answers with one MessagePort, and all else goes over that port.
 */
export const FRAME_PROTOCOL_VERSION = 1;
export const FRAME_HELLO = 'florin:hello';

export const sdkEventNames = [
  'payment_method_verifying',
  'payment_method_changed',
  'payment_method_ready',
  'payment_method_verified',
  'payment_method_failed',
  'payment_method_error',
  'payment_approved',
  'subscription_approved',
  'payment_failed',
  'payment_timeout',
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
 * `verify` is answered by one `result` with its id, unless `cancel` with that id comes first: a
 * cancelled verification raises nothing any more. `listen` asks for the payment's outcome as an event.
 */
export type HostToFrame =
  | { readonly t: 'verify'; readonly id: number }
  | { readonly t: 'listen' }
  | { readonly t: 'cancel'; readonly id: number };

/** First message to the frame; it carries the port. */
export interface FrameInit {
  readonly t: 'init';
  readonly v: typeof FRAME_PROTOCOL_VERSION;
  readonly debug: boolean;
}

export type FrameToHost =
  | { readonly t: 'ready' }
  | { readonly t: 'size'; readonly height: number }
  | { readonly t: 'event'; readonly name: SdkEventName; readonly detail: SdkEventDetail }
  | {
      readonly t: 'result';
      readonly id: number;
      readonly name: SdkEventName;
      readonly detail: SdkEventDetail;
    };

/** Query parameter of the form's address that carries the page's colour scheme, so that the form fits in. */
export const SCHEME_PARAMETER = 'scheme';
export type ColorScheme = 'light' | 'dark';

/** What the server prints into the form's document as JSON. */
export interface FrameConfig {
  readonly session: string;
  readonly payment_id: string;
  /** In minor units. */
  readonly amount: string;
  readonly currency: string;
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
}

export type VerifyAnswer =
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
