import type { EmailKind } from '@florin/contract/resources/emails.ts';
import { oneLine } from '../../platform/emails/brand.ts';
import type { EmailContent } from '../../platform/emails/parts.ts';
import { toWebAddress } from '../../platform/emails/web-address.ts';
import { createFormat, type Format } from '../../platform/texts/format.ts';
import type { EmailInput } from './email-input.ts';
import type { Facts } from './facts.ts';
import { linesOf } from './lines.ts';
import { type TextName, type Texts, textsOf } from './texts.ts';

/** Content of an email, in its customer's language. */
export function composeContent(input: EmailInput): EmailContent {
  const { kind, mode, locale, facts, brand } = input;
  const text = textsOf(locale);
  const format = createFormat(locale, facts.payer_timezone ?? brand.timezone);
  const values = valuesOf(input, format);
  const url = toWebAddress(facts.link_url, ['https:', 'http:']);
  const questions = brand.support_email && text('questions', { email: brand.support_email });
  return {
    locale,
    brand,
    subject: oneLine(text(`${kind}_subject`, values)),
    title: text(`${kind}_title`, values),
    paragraphs: paragraphsOf(input, text, values),
    lines: linesOf(input, text, format),
    ...(url && { button: { label: text(buttonTextByKind[kind]), url } }),
    notes: [...(questions ? [questions] : []), ...(mode === 'sandbox' ? [text('test_mode')] : [])],
  };
}

const buttonTextByKind = {
  receipt: 'manage',
  upcoming_renewal: 'manage',
  trial_ending: 'manage',
  payment_failed: 'change_card',
  final_notice: 'change_card',
  card_expiring: 'change_card',
  subscription_unpaid: 'manage',
  subscription_ending: 'manage',
  subscription_cancelled: 'manage',
} as const satisfies Record<EmailKind, TextName>;

type Values = Readonly<Record<string, string>>;

function valuesOf({ kind, facts, brand }: EmailInput, format: Format): Values {
  const { amount_cents, amount_currency, expiry_month, expiry_year } = facts;
  const at = facts.charge_at ?? facts.next_try_at ?? facts.ends_at;
  const date =
    kind === 'card_expiring' && expiry_month && expiry_year
      ? format.expiry(expiry_month, expiry_year)
      : at && format.date(at);
  const amount = amount_cents && amount_currency && format.amount(amount_cents, amount_currency);
  return { brand: brand.name, ...(amount && { amount }), ...(date && { date }) };
}

function paragraphsOf({ kind, facts }: EmailInput, text: Texts, values: Values): string[] {
  const finalAction = facts.final_action === 'pause' ? 'pause' : 'cancel';
  switch (kind) {
    case 'payment_failed': {
      const followingText = facts.next_try_at ? 'payment_failed_retry' : 'payment_failed_last';
      return [failureTextOf(facts, text, values), text(followingText, values)];
    }
    case 'final_notice':
      return [failureTextOf(facts, text, values), text(`final_notice_${finalAction}`, values)];
    case 'subscription_unpaid':
      return [text(`subscription_unpaid_${finalAction}`, values)];
    default:
      return [text(`${kind}_intro`, values)];
  }
}

const failureTextOf = (facts: Facts, text: Texts, values: Values): string =>
  `${text('payment_failed_intro', values)} ${text(reasonOf(facts))}`;

/**
 * Reason of a failed payment, as a text for the customer. Stolen cards have the same text as
 * others, so that thieves learn nothing.
 */
function reasonOf({ failure_reason }: Facts): TextName {
  switch (failure_reason) {
    case 'insufficient_funds':
    case 'expired_card':
    case 'incorrect_cvc':
      return `reason_${failure_reason}`;
    default:
      return 'reason_declined';
  }
}
