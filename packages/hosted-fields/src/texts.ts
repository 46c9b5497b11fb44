import type { SdkEventDetail } from '@florin/contract/protocol/frame.ts';

/** Names of the texts; every language has the same names. */
export type TextName = keyof typeof import('./locales/en.json', { with: { type: 'json' }});

/** Returns a text in the page's language. `values` fill the placeholders in braces. */
export type Texts = (name: TextName, values?: Readonly<Record<string, string>>) => string;

export const createTexts =
  (texts: Readonly<Record<string, string>>): Texts =>
  (name, values = {}) =>
    (texts[name] ?? '').replace(
      /\{(\w+)\}/g,
      (_, placeholder: string) => values[placeholder] ?? '',
    );

/** Shows some codes with a more general text, because only the shop may learn the exact reason. */
const aliases: Readonly<Record<string, TextName>> = {
  session_over: 'error_form_expired',
  wallet_token_unreadable: 'error_wallet_failed',
  wallet_token_expired: 'error_wallet_failed',
  wallet_token_replayed: 'error_wallet_failed',
  wallet_not_configured: 'error_wallet_failed',
  sealed_card_expired: 'error_form_expired',
  generic_decline: 'error_declined',
  lost_card: 'error_declined',
  stolen_card: 'error_declined',
  always_blocked: 'error_declined',
  highest_risk: 'error_declined',
  customer_blocked: 'error_declined',
  blocked: 'error_declined',
  velocity_exceeded: 'error_declined',
  cryptogram_missing: 'error_declined',
  merchant_held_back: 'error_payment_closed',
  processor_timeout: 'error_processor_unreachable',
};

/** Returns the detail of an event, with a localised message if the code has a text. */
export function localised(text: Texts, detail: SdkEventDetail): SdkEventDetail {
  const { code = '' } = detail;
  const message = text(aliases[code] ?? (`error_${code}` as TextName));
  return message ? { ...detail, message } : detail;
}
