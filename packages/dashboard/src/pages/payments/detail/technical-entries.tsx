import { eventCode } from '@florin/contract/events.ts';
import { transferKinds } from '@florin/contract/ledger.ts';
import type { RecordOf } from '../../../api/types.ts';
import { type Names, useNames } from '../../../i18n/use-names.ts';
import { type Translate, useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import type { TimelineEntry } from '../../../parts/record/timeline.tsx';
import { EventName } from '../../../parts/value/event-name.tsx';
import { Money } from '../../../parts/value/money.tsx';
import { toneOf } from '../../../parts/value/state-tone.ts';
import { AttemptText } from './attempt-text.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { CreditNoteLink } from './document-link.tsx';
import type { History } from './history.ts';
import type { Authentication, Details } from './use-details.ts';

/** Text functions for the entries. */
interface EntryTexts {
  readonly t: Translate<'payments'>;
  readonly names: Names;
}

/** Returns all records about a payment, oldest first. At the same instant, causes come before effects. */
export function useTechnicalTimeline(
  payment: RecordOf<'payment_demands'>,
  history: History,
  details: Details,
): readonly TimelineEntry[] {
  const words = { t: useTexts('payments'), names: useNames() };
  const isCreation = ({ attributes }: RecordOf<'events'>) => attributes.slug === 'created';
  const entries = [
    ...details.events.filter(isCreation).map((it) => eventEntry(it, details)),
    ...details.authentications.map((it) => entryOfAuthentication(it, words)),
    ...entryOfDecision(payment, history.attempts, words),
    ...history.captures.map((it) => followUpEntry(it, words)),
    ...history.refunds.map((it) => followUpEntry(it, words)),
    ...history.attempts.map((it) => entryOfAttempt(it, words)),
    ...history.disputes.map((it) => entryOfDispute(it, words)),
    ...details.transfers.toSorted(byKind).map((it) => entryOfTransfer(it, words)),
    ...details.events.filter((it) => !isCreation(it)).map((it) => eventEntry(it, details)),
  ];
  return entries.toSorted(byInstant);
}

const kinds = Object.keys(transferKinds);

/** Compares transfers by the order in which a payment has them: the capture before its fee. */
const byKind = (a: RecordOf<'ledger_transfers'>, b: RecordOf<'ledger_transfers'>): number =>
  kinds.indexOf(a.attributes.kind) - kinds.indexOf(b.attributes.kind);

/**
 * Compares by instant. The sort is stable, so entries of the same microsecond stay in the order of the lists above.
 */
export const byInstant = (a: TimelineEntry, b: TimelineEntry): number =>
  Date.parse(a.at) - Date.parse(b.at) || microsOf(a.at) - microsOf(b.at);

const MICRO_DIGITS = 6;
const microsOf = (at: string): number =>
  Number((/\.(\d{1,6})/.exec(at)?.[1] ?? '').padEnd(MICRO_DIGITS, '0'));

function entryOfAuthentication(
  authentication: Authentication,
  { t, names }: EntryTexts,
): TimelineEntry {
  const texts = [
    authentication.threeds_version &&
      t('threeds_version', { version: authentication.threeds_version }),
    authentication.threeds_status && t('threeds_status', { status: authentication.threeds_status }),
    authentication.eci && t('threeds_eci', { eci: authentication.eci }),
    authentication.failure_code && names.value(authentication.failure_code),
  ];
  return {
    key: authentication.id,
    at: authentication.created_at,
    title: t('entry_threeds', { status: names.value(authentication.status) }),
    tone: authentication.status === 'authenticated' ? 'good' : toneOf(authentication.status),
    children: texts.filter(Boolean).join(' · '),
  };
}

/** Entry for the rule that decided about the payment. Rules run right before a payment is sent and record no time. */
export function entryOfDecision(
  { id, attributes }: RecordOf<'payment_demands'>,
  attempts: History['attempts'],
  { t, names }: EntryTexts,
): TimelineEntry[] {
  const outcome = attributes.risk_outcome as {
    readonly decision: string;
    readonly rule: string;
    readonly kind: string | null;
    readonly id: string | null;
  } | null;
  if (!outcome) return [];
  const sentAt = attempts.findLast((it) => it.attributes.operation === 'authorise')?.attributes
    .created_at;
  const isAllowed = outcome.decision === 'allowed';
  const type = outcome.rule === 'velocity_limit' ? 'velocity_limits' : 'risk_list_entries';
  const kind = outcome.kind && names.value(outcome.kind);
  return [
    {
      key: `rule ${id}`,
      at: (isAllowed ? sentAt : undefined) ?? attributes.updated_at ?? '',
      title: t(isAllowed ? 'entry_allowed' : 'entry_refused', { rule: names.value(outcome.rule) }),
      tone: isAllowed ? 'good' : 'bad',
      children: outcome.id ? (
        <ScopedLink to={recordPath(type, outcome.id)}>{kind ?? t('rule_open')}</ScopedLink>
      ) : (
        kind
      ),
    },
  ];
}

function entryOfAttempt(
  attemptRecord: RecordOf<'payment_attempts'>,
  { t, names }: EntryTexts,
): TimelineEntry {
  const { operation, status, created_at } = attemptRecord.attributes;
  return {
    key: attemptRecord.id,
    at: created_at ?? '',
    title: t('entry_attempt', {
      operation: t(`operation_${operation}`),
      status: names.value(status),
    }),
    tone: status === 'approved' ? 'good' : toneOf(status),
    children: <AttemptText attempt={attemptRecord} />,
  };
}

function followUpEntry(
  followUp: RecordOf<'refund_demands'> | RecordOf<'capture_demands'>,
  { t, names }: EntryTexts,
): TimelineEntry {
  const { amount_cents, amount_currency, status, failure_reason, created_at } = followUp.attributes;
  const reason = 'reason' in followUp.attributes ? followUp.attributes.reason : null;
  const isOpen = 'final' in followUp.attributes && !followUp.attributes.final;
  const reasons = [reason, failure_reason].flatMap((text) => (text ? [names.value(text)] : []));
  const notes = [...reasons, ...(isOpen ? [t('capture_not_last')] : [])];
  return {
    key: followUp.id,
    at: created_at ?? '',
    title: t(followUp.type === 'refund_demands' ? 'entry_refund' : 'entry_capture', {
      status: names.value(status),
    }),
    tone: toneOf(status),
    children: (
      <>
        <ScopedLink underline="always" to={recordPath(followUp.type, followUp.id)}>
          <Money cents={amount_cents ?? 0} currency={amount_currency ?? ''} />
        </ScopedLink>
        {notes.length > 0 && ` · ${notes.join(' · ')}`}
        {'reason' in followUp.attributes && (
          <CreditNoteLink refund={followUp as RecordOf<'refund_demands'>} />
        )}
      </>
    ),
  };
}

function entryOfDispute(dispute: RecordOf<'disputes'>, { t, names }: EntryTexts): TimelineEntry {
  const { amount_cents, amount_currency, status, reason, created_at } = dispute.attributes;
  return {
    key: dispute.id,
    at: created_at ?? '',
    title: t('entry_dispute', { status: names.value(status) }),
    tone: toneOf(status),
    children: (
      <>
        <ScopedLink underline="always" to={recordPath('disputes', dispute.id)}>
          <Money cents={amount_cents} currency={amount_currency} />
        </ScopedLink>
        {` · ${names.value(reason)}`}
      </>
    ),
  };
}

function entryOfTransfer(
  transfer: RecordOf<'ledger_transfers'>,
  { t, names }: EntryTexts,
): TimelineEntry {
  const { kind, amount_cents, amount_currency, debit_account, credit_account, created_at } =
    transfer.attributes;
  const accounts = t('entry_accounts', {
    debit: names.value(debit_account),
    credit: names.value(credit_account),
  });
  return {
    key: transfer.id,
    at: created_at ?? '',
    title: t('entry_transfer', { kind: names.value(kind) }),
    children: (
      <>
        <ScopedLink underline="always" to={recordPath('ledger_transfers', transfer.id)}>
          <Money cents={amount_cents} currency={amount_currency} />
        </ScopedLink>
        {` · ${accounts}`}
      </>
    ),
  };
}

function eventEntry(event: RecordOf<'events'>, { deliveries, included }: Details): TimelineEntry {
  const { resource_type, slug, created_at } = event.attributes;
  const ownDeliveries = deliveries.filter(({ relationships }) => {
    const linked = relationships?.event?.data;
    return linked && 'id' in linked && linked.id === event.id;
  });
  return {
    key: event.id,
    at: created_at ?? '',
    title: (
      <ScopedLink to={recordPath('events', event.id)}>
        <EventName code={eventCode(resource_type, slug)} />
      </ScopedLink>
    ),
    children: ownDeliveries.length > 0 && (
      <DeliveryList deliveries={ownDeliveries} included={included} />
    ),
  };
}
