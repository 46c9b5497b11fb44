import type { CommonTextName } from '@florin/contract/common-texts.ts';
import { escapeHtml } from '@florin/contract/html.ts';
import { directionOf } from '@florin/contract/locales.ts';
import { amountText } from '@florin/contract/money.ts';
import type { FormLocale } from '../../../http/pages/form-locale.ts';
import type { Money } from '../../../processors/port/message.ts';
import type { Instant } from './view.ts';

/** Names of the texts. All languages have the same names. */
export type TextName =
  | keyof typeof import('./locales/en.json', { with: { type: 'json' }})
  | CommonTextName;

/**
 * Texts of the page in one language, with dates in one time zone. Returns plain text unless stated
 * otherwise.
 */
export interface Translator {
  readonly tag: string;
  readonly direction: 'rtl' | 'ltr';
  text(name: TextName, values?: Readonly<Record<string, string>>): string;
  /** Text as HTML. Values are escaped and isolated, since their text direction may differ. */
  html(name: TextName, values?: Readonly<Record<string, string>>): string;
  date(at: Instant): string;
  amount(price: Money): string;
}

export function createTranslator({ tag, texts }: FormLocale, timezone: string): Translator {
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: timezone });
  const fill = (
    name: TextName,
    value: (variable: string) => string,
    transform = (text: string) => text,
  ) => transform(texts[name] ?? '').replace(/\{(\w+)\}/g, (_, variable: string) => value(variable));
  return {
    tag,
    direction: directionOf(tag),
    text: (name, values = {}) => fill(name, (variable) => values[variable] ?? ''),
    html: (name, values = {}) =>
      fill(name, (variable) => isolate(values[variable] ?? ''), escapeHtml),
    date: (at) => dates.format(at),
    amount: ({ amount, currency }) => amountText(String(amount), currency, tag),
  };
}

/** Text of another language as HTML, isolated because its direction may differ. */
export const isolate = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;
