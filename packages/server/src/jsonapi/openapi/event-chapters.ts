import { declineCodes } from '@florin/contract/decline-codes.ts';
import { eventCode } from '@florin/contract/events.ts';
import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import { edgeSignature } from '@florin/contract/protocol/webhook.ts';
import type { Models } from '../model.ts';
import type { Chapter } from './chapter.ts';
import { inReadingOrder } from './groups.ts';
import { recordNouns } from './names.ts';

/** Chapters about events, webhooks and declines. */
export const eventChapters = (models: Models, base_url: string): readonly Chapter[] => [
  {
    id: 'event-codes',
    title: 'Events and their codes',
    paragraphs: [
      'What happens to a record is kept as an event, in the same transaction. Its `resource_type` and `slug` make its code, which webhook subscriptions list in `events`, alone or by wildcards: `*`, `transaction.*`, `transaction.refund_demands.*`. `data` is the record as it was then: read the record itself for how it is now.',
      'Intents, which are payments and subscriptions before their confirmation, tell nobody. Events may arrive in another order than they happened; `sequence` numbers those of a record, and a subscription with `ordering: "resource"` gets them in that order.',
    ],
    table: { heads: ['Code', 'When'], rows: codeRows(models) },
  },
  {
    id: 'payment-states',
    title: 'Which event tells of which state of a payment',
    paragraphs: [
      'States of `payment_demands`, and the slugs of the events by which webhooks and `events` tell of them. `data` of each shows the state.',
    ],
    table: { heads: ['State', 'Told as'], rows: paymentStates },
  },
  {
    id: 'webhooks',
    title: 'Webhooks: body, signatures, retries',
    paragraphs: [
      'A delivery is a POST of the event as a document: `{"data":{"type":"events","id":…,"attributes":{"mode","resource_type","resource_id","slug","sequence","created_at","data"},"relationships":{"merchant":…}}}`. Each subscription of the same mode that lists the code gets one; what a `paused` one has is sent when it is `active` again. `PATCH …/test` sends an event of its own to try an address.',
      `\`${edgeSignature.header}: t=…,v3=…\` holds the hex HMAC-SHA256 of \`t.body\` under the text of the subscription’s \`secret_key\`. Compare in constant time, over the bytes as they came, and refuse a \`t\` more than five minutes off.`,
      'The Standard Webhooks headers `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,…` (base64 HMAC-SHA256 of `id.timestamp.body` under the secret read as base64) are sent as well: `new Webhook(secret_key).verify(body, headers)` of a Standard Webhooks library checks them. `webhook-id` is the id of the event and the same whenever it is tried again: what has come before is to be ignored.',
      'Answer 200 to 204 within ten seconds. Anything else, and no answer, is tried again after 10 s, 5 min, 30 min, 1 h and 2 h, or later where `Retry-After` asks for it (at most a day), and is then `exhausted`; 400, 401, 403, 404 and 405 stop it at once. `webhook_deliveries` shows each delivery with its last answer, and `PATCH …/redeliver` asks for it again; a `webhook_replays` record asks again for all that match a span of time, codes and statuses.',
      'Five attempts in a row without an answer, or with 429 or 5xx, suspend the subscription until `suspended_until`: for 30 s, and twice as long each time, up to 30 min. Then one delivery shows whether its server is back. Deliveries that were tried before keep to their schedule meanwhile; the others wait. `PATCH …/test`, `PATCH …/redeliver`, another `url`, and `status` from `paused` to `active` end a suspension at once. After five days in which nothing was taken, of ten attempts or more, the subscription is `paused` and an account alert `webhook_subscription_paused` says so.',
      'A delivery that was on its way when the server stopped without warning is sent again after 60 seconds.',
      '`PATCH …/rotate_secret` makes a new `secret_key`. For 24 hours Standard Webhooks’ header has signatures of both, then of the new one alone; `PATCH …/revoke_previous_secret` ends that at once.',
    ],
    code: `curl ${base_url}/v2/webhook_subscriptions \\
  -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0' -H 'Content-Type: application/vnd.api+json' \\
  -d '{"data":{"type":"webhook_subscriptions","attributes":{"url":"http://localhost:3000/hook","events":["transaction.payment_demands.succeeded"]}}}'`,
  },
  {
    id: 'decline-codes',
    title: 'Why payments fail',
    paragraphs: [
      'A payment that `failed` says why in `failure_reason`, in words that are the same for every processor. It can be confirmed again; more codes may come.',
    ],
    table: {
      heads: ['Code', 'Meaning', 'Same card later'],
      rows: Object.entries(declineCodes).map(([code, { message, retry }]) => [
        `\`${code}\``,
        message,
        retry ? 'may succeed' : 'will not',
      ]),
    },
  },
];

const INTENT = 'nothing: an intent tells nobody';

/** Event that reports each payment state. */
const eventTextByState: Readonly<Record<PaymentDemandState, string>> = {
  incomplete: INTENT,
  ready: INTENT,
  pending:
    '`created`, and `updated` as well where an intent was confirmed; `updated` when it is tried again',
  processing:
    'nothing when it is sent; `updated` when a hold is to be captured or voided, or has lapsed',
  authorised: '`updated`, also when a capture has failed and the hold is as it was',
  succeeded: '`succeeded`; `refunded` for each refund; `updated` when a dispute was won',
  failed: '`failed`',
  canceled:
    '`updated`, of a hold that was voided or has lapsed, or a charge that credit has paid for (`cancellation_reason` says which); of an intent nothing',
  reversed: '`updated`: a dispute was lost',
  disputed: '`disputed`',
};

const paymentStates = Object.entries(eventTextByState).map(([state, slugs]) => [
  `\`${state}\``,
  slugs,
]);

const codeRows = (models: Models): string[][] =>
  inReadingOrder(models).flatMap(({ type, resource: { events } }) =>
    (events?.slugs ?? []).map((slug) => [
      `\`${eventCode(events?.scope ?? '', slug)}\``,
      textByEvent[`${type}.${slug}`] ?? `A ${recordNouns(type)} was ${slug}.`,
    ]),
  );

const textByEvent: Readonly<Record<string, string>> = {
  'payment_demands.created': 'A payment was confirmed, or a subscription charged.',
  'payment_demands.updated':
    'A confirmed payment was changed or confirmed again, or came to a state that has no code of its own.',
  'payment_demands.succeeded': 'A payment was taken.',
  'payment_demands.failed': 'A payment failed; `failure_reason` says why.',
  'payment_demands.refunded': 'A refund of a payment succeeded, of all of it or of a part.',
  'payment_demands.disputed': 'A payer disputed a payment; see its `disputes`.',
  'capture_demands.created': 'A capture was accepted.',
  'capture_demands.updated': 'A capture was sent to the processor.',
  'capture_demands.succeeded': 'A held amount, or a part of it, was collected.',
  'capture_demands.failed': 'A capture failed, and the hold is as it was.',
  'disputes.created': 'A payer disputed a payment, whose amount is held back.',
  'disputes.updated': 'Evidence was written or submitted, or the dispute was accepted.',
  'disputes.won': 'The bank decided for the merchant.',
  'disputes.lost': 'The bank decided for the payer, who has the money back.',
  'settlement_exceptions.created': 'A processor has settled otherwise than the ledger has it.',
  'settlement_exceptions.resolved': 'Somebody has found out why, and said so.',
  'refund_demands.created': 'A refund was accepted, and its amount reserved.',
  'refund_demands.updated': 'A refund was sent to the processor.',
  'refund_demands.succeeded': 'A refund went back to the payer.',
  'refund_demands.failed': 'A refund failed, and its amount is free again.',
  'payment_subscriptions.created': 'A subscription was confirmed.',
  'payment_subscriptions.updated':
    'A subscription was changed, charged, paused, resumed or cancelled; what has a code of its own below is told by both.',
  'payment_subscriptions.upcoming': 'A subscription is charged in a week.',
  'payment_subscriptions.past_due': 'A charge of a subscription failed, and is owed.',
  'payment_subscriptions.recovered': 'What was owed is paid.',
  'payment_subscriptions.unpaid':
    'A charge of a subscription was given up: what it owes stays unpaid, and `status` says what was done by `dunning_final_action`.',
  'payment_subscriptions.paused':
    'A subscription was paused: by request, or because a charge was given up.',
  'payment_subscriptions.resumed': 'A subscription that was paused bills again.',
  'payment_subscriptions.cancelled': 'A subscription has ended; `end_reason` says why.',
  'payment_methods.created': 'A card was added.',
  'payment_methods.updated': 'A card was changed.',
  'webhook_subscriptions.tested':
    'A subscription was tested; it goes to that one alone, and no list has it.',
};
