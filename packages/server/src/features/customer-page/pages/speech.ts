import type { CommonTextName } from '@florin/contract/common-texts.ts';
import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { amountText } from '@florin/contract/money.ts';
import type { FormLocale } from '../../../http/pages/form-locale.ts';
import type { Instant, Money } from './view.ts';

/** Names of the texts, of which every language has the same. */
export type TextName =
  | keyof typeof import('./locales/en.json', { with: { type: 'json' }})
  | CommonTextName;

/** How the page speaks: in one language, of days in one time zone. What it gives is plain text unless it says otherwise. */
export interface Speech {
  readonly tag: string;
  readonly direction: 'rtl' | 'ltr';
  text(name: TextName, values?: Readonly<Record<string, string>>): string;
  /** The same as HTML: values are escaped, and kept apart from the direction of the text around them. */
  html(name: TextName, values?: Readonly<Record<string, string>>): string;
  date(at: Instant): string;
  amount(price: Money): string;
}

export function createSpeech({ tag, texts }: FormLocale, timezone: string): Speech {
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: timezone });
  const fill = (
    name: TextName,
    value: (place: string) => string,
    around = (text: string) => text,
  ) => around(texts[name] ?? '').replace(/\{(\w+)\}/g, (_, place: string) => value(place));
  return {
    tag,
    direction: directionOf(tag),
    text: (name, values = {}) => fill(name, (place) => values[place] ?? ''),
    html: (name, values = {}) => fill(name, (place) => apart(values[place] ?? ''), escapeHtml),
    date: (at) => dates.format(at),
    amount: ({ amount, currency }) => amountText(String(amount), currency, tag),
  };
}

/** A text of somebody else's as HTML: it may be written in another direction. */
export const apart = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;
