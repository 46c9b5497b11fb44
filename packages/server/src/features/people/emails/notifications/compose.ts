import type { ParameterFormats } from '@florin/contract/alert-messages/alert-messages.ts';
import type { ChangeKind, NotificationFacts } from '@florin/contract/member-notifications.ts';
import { amountFormat } from '@florin/contract/money.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import { oneLine } from '../../../../platform/emails/brand.ts';
import type { EmailContent } from '../../../../platform/emails/parts.ts';
import { type Texts, textsIn } from '../../../../platform/texts/texts.ts';
import { alertTextIn } from '../../../records/alert-texts.ts';
import { type AccountLocale, accountLocaleOf } from '../kinds.ts';

type TextName = keyof typeof import('./locales/en.json', { with: { type: 'json' }});

const textsOf: (locale: AccountLocale) => Texts<TextName> = textsIn<TextName>(
  new URL('locales/', import.meta.url),
);

/** Content of an email about a notification, after all lookups. */
export interface NotificationContent {
  readonly kind: ChangeKind;
  readonly mode: Mode;
  readonly facts: NotificationFacts;
  readonly business: string;
  /** Time zone of the merchant. */
  readonly timezone: string;
  readonly locale: string;
  /** Page of the record. */
  readonly url: string;
  /** Page where the member switches emails off. */
  readonly settings_url: string;
  /** Whether the member gets no more emails of the kind within the hour. */
  readonly isLast: boolean;
}

const COLOR = '#2563eb';
const NAME_MAX = 100;

/** Composes the email of a notification in the member's language. */
export function composeNotification(content: NotificationContent): EmailContent {
  const { kind, mode, business, settings_url, url, timezone, isLast } = content;
  const locale = accountLocaleOf(content.locale);
  const text = textsOf(locale);
  const name = kind === 'dispute_decided' ? decisionOf(content.facts) : kind;
  const values = {
    business: [...oneLine(business)].slice(0, NAME_MAX).join('') || 'Florin',
    ...valuesOf(content, locale),
  };
  const subject = text(`${name}_subject`, values);
  return {
    locale,
    brand: { name: 'Florin', color: COLOR, timezone },
    subject: oneLine(mode === 'sandbox' ? text('in_sandbox', { subject }) : subject),
    title: subject,
    paragraphs: [text(`${name}_intro`, values)],
    lines: [],
    button: { label: text('open'), url },
    notes: [...(isLast ? [text('no_more')] : []), text('settings', { url: settings_url })],
  };
}

const decisionOf = ({ status }: NotificationFacts) =>
  status === 'won' ? 'dispute_won' : 'dispute_lost';

function valuesOf(
  { facts, timezone: timeZone }: NotificationContent,
  locale: AccountLocale,
): Readonly<Record<string, string>> {
  const { amount_cents, amount_currency, evidence_due_at, failing_since } = facts;
  const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const dateOf = (at: string | undefined): string => (at ? dateFormat.format(new Date(at)) : '');
  const timeFormat = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  });
  const alertFormats: ParameterFormats = {
    instant: (at) => timeFormat.format(new Date(at)),
    violation: (name) => name.replaceAll('_', ' '),
  };
  return {
    amount:
      amount_cents && amount_currency ? amountFormat(amount_currency, locale)(amount_cents) : '',
    deadline: dateOf(evidence_due_at),
    since: dateOf(failing_since),
    host: facts.host ?? '',
    message: (facts.alert && alertTextIn(locale, facts.alert, alertFormats)) ?? facts.message ?? '',
  };
}
