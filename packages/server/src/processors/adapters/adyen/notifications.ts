import { isUuid } from '../../../platform/ids.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { fromProcessorUnits } from '../../port/minor-units.ts';
import type { NotificationFact, Notifications } from '../../port/notifications.ts';
import type { AuthoriseResult, FollowUpResult } from '../../port/processor.ts';
import { type Members, membersOf, textOf } from '../../port/read-answer.ts';
import { deadlineOfDispute, disputeReasonOf, disputeStatusOf, roundOfDispute } from './disputes.ts';
import { adyenExponents } from './metadata.ts';
import { approvalOfAdyen, declineOfAdyen } from './payment.ts';
import { codesOf, shortTextOf } from './read-answer.ts';
import { adyenSignaturesOf, webhookSecrets } from './signatures.ts';
import { readWebhook } from './webhook.ts';

type WithoutBase<Fact> = Fact extends unknown ? Omit<Fact, 'key' | 'at'> : never;
/** A fact without its key and time. */
type FactPart = WithoutBase<NotificationFact>;

/** An item with the members that most facts need. */
interface Item {
  readonly members: Members;
  readonly event: string;
  readonly success: boolean;
  /** Reference of the event: of the payment, or of its modification or dispute. */
  readonly reference: string;
  /** Reference of the payment, where the event has one of its own. */
  readonly original: string | undefined;
  /** The reference that we sent, if it is one of our ids. */
  readonly our_id: string | undefined;
}

const ignored = (why: string): FactPart => ({ kind: 'ignored', why });

const notOurs = ignored('the reference is not from Florin');

/** With manual capture an approval is a hold. `success: false` has the name of the refusal as reason. */
function authorisationOf({ members, success, our_id }: Item): FactPart {
  if (our_id === undefined) return notOurs;
  if (success)
    return { kind: 'authorisation', attempt_id: our_id, result: pricedApprovalOf(members) };
  const decline = declineOfAdyen(members);
  const codes = { ...decline.codes, ...codesOf(members, ['reason']) };
  return { kind: 'authorisation', attempt_id: our_id, result: { ...decline, codes } };
}

/** The signature covers the amount, which a restored installation may not have sent. */
function pricedApprovalOf(members: Members): AuthoriseResult {
  const approval = approvalOfAdyen(members);
  const money = moneyOf(members.amount);
  return approval.result === 'approved' && money ? { ...approval, money } : approval;
}

/** A cancellation or reversal. Our id is the attempt's, which both messages send as their reference. */
const reversalOf = ({ success, reference, original, our_id }: Item): FactPart =>
  original === undefined && our_id === undefined
    ? notOurs
    : {
        kind: 'reversal',
        ...(our_id !== undefined && { attempt_id: our_id }),
        ...(original !== undefined && { processor_reference: original }),
        reversal_reference: reference,
        reversed: success,
      };

/** A capture or refund. `success: true` means that the network has it, and a failure may follow. */
const followUpOf =
  (kind: 'capture' | 'refund') =>
  ({ members, success, reference, original, our_id }: Item): FactPart => {
    const codes = success ? undefined : codesOf(members, ['reason']);
    const result: FollowUpResult = success
      ? { result: 'approved', network_transaction_id: null }
      : { result: 'declined', code: `${kind}_declined`, ...(codes && { codes }) };
    return {
      kind,
      ...(our_id !== undefined && { demand_id: our_id }),
      processor_reference: reference,
      ...(original !== undefined && { authorisation_reference: original }),
      result,
    };
  };

/** A failure after a success. The event is the failure, although its `success` is true. */
const failureOf =
  (kind: 'capture_failed' | 'refund_failed') =>
  ({ members, event, reference, original, our_id }: Item): FactPart => ({
    kind,
    ...(our_id !== undefined && { demand_id: our_id }),
    processor_reference: reference,
    ...(original !== undefined && { authorisation_reference: original }),
    reason: shortTextOf(members.reason) ?? event,
  });

const REPORT_HOST = /(?:^|\.)adyen\.com$/;

/** The reference is the name of the file, and the reason its address. Only Adyen's own hosts get credentials. */
function reportOf({ members, reference: name }: Item): FactPart {
  const url = typeof members.reason === 'string' ? URL.parse(members.reason) : null;
  return url?.protocol === 'https:' && REPORT_HOST.test(url.hostname)
    ? { kind: 'report', name, url: url.href }
    : ignored('the report is at an address that is not Adyen’s');
}

function disputeOf({ members, event, reference, original }: Item): FactPart {
  const { additionalData, amount } = members;
  const status = disputeStatusOf(event, additionalData);
  if (status === undefined) return ignored(`the event ${event} changes nothing`);
  if (original === undefined)
    return ignored('the dispute names no payment: add originalReference to the webhook’s settings');
  const money = moneyOf(amount);
  if (money === undefined) return ignored('the amount of the dispute cannot be read');
  const reason = disputeReasonOf(additionalData);
  return {
    kind: 'dispute',
    processor_reference: original,
    dispute: {
      reference,
      reason,
      status,
      ...money,
      ...deadlineOfDispute(additionalData),
      ...roundOfDispute(event),
    },
  };
}

function moneyOf(value: unknown) {
  const { value: units, currency } = membersOf(value);
  if (!Number.isSafeInteger(units) || typeof currency !== 'string') return undefined;
  const amount = fromProcessorUnits({ amount: units as number, currency }, adyenExponents);
  return amount === undefined || amount < 0 ? undefined : { amount, currency };
}

/** Readers by event code. Events of disputes and unknown events have none. */
const readers = new Map<string, (item: Item) => FactPart>([
  ['AUTHORISATION', authorisationOf],
  ['CANCELLATION', reversalOf],
  ['TECHNICAL_CANCEL', reversalOf],
  ['CANCEL_OR_REFUND', reversalOf],
  ['CAPTURE', followUpOf('capture')],
  ['CAPTURE_FAILED', failureOf('capture_failed')],
  ['REFUND', followUpOf('refund')],
  ['REFUND_FAILED', failureOf('refund_failed')],
  ['REFUNDED_REVERSED', failureOf('refund_failed')],
  ['REPORT_AVAILABLE', reportOf],
]);

function partOf(members: Members, live: unknown, account: AccountSettings): FactPart {
  if (live !== `${account.mode === 'live'}`) return ignored('the message is of the other mode');
  if (members.merchantAccountCode !== account.settings.merchant_account)
    return ignored('the message is of another merchant account');
  const item = itemOf(members);
  return item
    ? (readers.get(item.event) ?? disputeOf)(item)
    : ignored('the message cannot be read');
}

/** The members of an item; undefined without event, reference or success, which every item has. */
function itemOf(members: Members): Item | undefined {
  const { success, merchantReference } = members;
  const event = textOf(members.eventCode);
  const reference = textOf(members.pspReference);
  if (event === undefined || reference === undefined) return undefined;
  if (success !== 'true' && success !== 'false') return undefined;
  const our_id =
    typeof merchantReference === 'string' && isUuid(merchantReference)
      ? merchantReference
      : undefined;
  const original = textOf(members.originalReference);
  return { members, event, success: success === 'true', reference, original, our_id };
}

/** Event and reference identify a fact: a capture and its failure share the reference. */
const baseOf = ({ eventCode, pspReference, eventDate }: Members) => ({
  key: `${textOf(eventCode) ?? ''}:${textOf(pspReference) ?? ''}`,
  at: timeOf(eventDate),
});

/** A time in UTC. A message without a readable one counts as older than every other. */
function timeOf(text: unknown): string {
  const time = new Date(typeof text === 'string' ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}

const unreadable: NotificationFact = {
  ...baseOf({}),
  kind: 'ignored',
  why: 'the message is no standard webhook',
};

/** Standard webhooks of Adyen. Their signatures cover neither `live`, nor dates, reasons and additional data. */
export const adyenNotifications: Notifications = {
  secrets: webhookSecrets,
  // Older endpoints want this text; newer ones look at the status alone.
  acknowledgement: '[accepted]',
  signaturesOf: adyenSignaturesOf,
  readFacts(notification, account) {
    const { items = [], live } = readWebhook(notification) ?? {};
    if (items.length === 0) return [unreadable];
    return items.map((members) => ({ ...baseOf(members), ...partOf(members, live, account) }));
  },
};
