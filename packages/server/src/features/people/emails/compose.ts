import { oneLine } from '../../../platform/emails/brand.ts';
import type { EmailContent } from '../../../platform/emails/parts.ts';
import { type Texts, textsIn } from '../../../platform/texts/texts.ts';
import { type AccountEmailKind, type AccountLocale, accountLocaleOf } from './kinds.ts';

type TextName = keyof typeof import('./locales/en.json', { with: { type: 'json' }});

const textsOf: (locale: AccountLocale) => Texts<TextName> = textsIn<TextName>(
  new URL('locales/', import.meta.url),
);

/** Content of an account email, after all lookups. */
export interface AccountEmailContent {
  readonly kind: AccountEmailKind;
  /** For `registration`: whether the address already has an account. */
  readonly known?: boolean;
  readonly locale: string;
  /** Address that the email's button opens. */
  readonly url: string;
  /** Name of the inviting merchant. */
  readonly business?: string;
  /** For `mention`: page where the member switches these emails off. */
  readonly settings_url?: string;
}

const COLOR = '#2563eb';
const NAME_MAX = 100;

/** Composes an account email. */
export function composeAccountEmail({
  kind,
  known = false,
  locale,
  url,
  business = '',
  settings_url,
}: AccountEmailContent): EmailContent {
  const language = accountLocaleOf(locale);
  const text = textsOf(language);
  const name = known ? 'known' : kind;
  const values = { business: [...oneLine(business)].slice(0, NAME_MAX).join('') || 'Florin' };
  return {
    locale: language,
    brand: { name: 'Florin', color: COLOR, timezone: 'UTC' },
    subject: oneLine(text(`${name}_subject`, values)),
    title: text(`${name}_title`, values),
    paragraphs: [text(`${name}_intro`, values)],
    lines: [],
    button: { label: text(`${name}_button`), url },
    notes: [
      text(`${name}_note`),
      ...(settings_url ? [text('mention_settings', { url: settings_url })] : []),
    ],
  };
}
