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
      'Florin stores an event for each change of a record, in the same transaction. The code of an event is `resource_type` with `slug`. Webhook subscriptions list codes in `events`, alone or as wildcards: `*`, `transaction.*`, `transaction.refund_demands.*`. `data` is the record at that time; fetch the record for its current state.',
      'Intents emit nothing: payments and subscriptions before their confirmation. Events can arrive out of order. `sequence` numbers the events of a record; a subscription with `ordering: "resource"` receives them in that order.',
    ],
    table: { heads: ['Code', 'When'], rows: codeRows(models) },
  },
  {
    id: 'payment-states',
    title: 'Events of each payment state',
    paragraphs: [
      'States of `payment_demands`, and the slugs of the events that report them. `data` of each event contains the state.',
    ],
    table: { heads: ['State', 'Event'], rows: paymentStates },
  },
  {
    id: 'webhooks',
    title: 'Webhooks: body, signatures, retries',
    paragraphs: [
      'A delivery is a POST of the event as a document: `{"data":{"type":"events","id":…,"attributes":{"mode","resource_type","resource_id","slug","sequence","created_at","data"},"relationships":{"merchant":…}}}`. Each subscription of the same mode with the code gets one. A `paused` subscription gets its deliveries when it is `active` again. `PATCH …/test` sends a test event.',
      `\`${edgeSignature.header}: t=…,v3=…\` is the hex HMAC-SHA256 of \`t.body\` with the text of the subscription’s \`secret_key\`. Compare in constant time, over the raw bytes. Refuse a \`t\` more than five minutes off.`,
      'Each delivery has the Standard Webhooks headers too: `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,…`. The signature is the base64 HMAC-SHA256 of `id.timestamp.body` with the secret decoded from base64. A Standard Webhooks library verifies it with `new Webhook(secret_key).verify(body, headers)`. `webhook-id` is the id of the event and the same for every attempt: ignore ids that you have seen.',
      'Answer 200 to 204 within ten seconds. Any other response, or none, is retried after 10 s, 5 min, 30 min, 1 h and 2 h. `Retry-After` can delay a retry by up to a day. Then the delivery is `exhausted`. 400, 401, 403, 404 and 405 stop it at once.',
      '`webhook_deliveries` lists each delivery with its last response, and `PATCH …/redeliver` repeats one. A `webhook_replays` record repeats all that match a time span, codes and statuses.',
      'Five failed attempts in a row (no response, 429 or 5xx) suspend the subscription until `suspended_until`. The first suspension takes 30 s; each further one doubles, up to 30 min. Then one delivery tests the server. Deliveries with earlier attempts keep their schedule; the others wait. `PATCH …/test`, `PATCH …/redeliver`, another `url`, and `status` from `paused` to `active` end a suspension at once.',
      'After five days and ten attempts without an accepted delivery, the subscription is `paused`. The account alert `webhook_subscription_paused` reports it.',
      'If the server dies while it sends a delivery, another process sends it again after 60 seconds.',
      '`PATCH …/rotate_secret` makes a new `secret_key`. For 24 hours the Standard Webhooks header has signatures of both secrets, then of the new one only. `PATCH …/revoke_previous_secret` ends that at once.',
      `\`${edgeSignature.header}\` has one signature, of the old secret, on the first attempt. A receiver that knows only the new secret answers 400, 401 or 403. The delivery then comes again at once, signed with the new secret.`,
    ],
    code: `curl ${base_url}/v2/webhook_subscriptions \\
  -H "Authorization: Bearer $KEY" -H 'User-Agent: my-shop/1.0' -H 'Content-Type: application/vnd.api+json' \\
  -d '{"data":{"type":"webhook_subscriptions","attributes":{"url":"http://localhost:3000/hook","events":["transaction.payment_demands.succeeded"]}}}'`,
  },
  {
    id: 'decline-codes',
    title: 'Why payments fail',
    paragraphs: [
      'A `failed` payment has its reason in `failure_reason`, with the same codes for every processor. The payment can be confirmed again. More codes may be added.',
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

const INTENT = 'none: an intent emits nothing';

/** Event that reports each payment state. */
const eventTextByState: Readonly<Record<PaymentDemandState, string>> = {
  incomplete: INTENT,
  ready: INTENT,
  pending: '`created`; also `updated` if an intent was confirmed; `updated` when it is retried',
  processing: 'none when it is sent; `updated` when a hold is captured, voided or lapses',
  authorised: '`updated`; also when a capture has failed and the hold remains',
  succeeded: '`succeeded`; `refunded` for each refund; `updated` when a dispute was won',
  failed: '`failed`',
  canceled:
    '`updated` for a voided or lapsed hold, or a charge paid by credit (see `cancellation_reason`); none for an intent',
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
    'A confirmed payment was changed, was confirmed again, or reached a state without its own code.',
  'payment_demands.succeeded': 'A payment succeeded.',
  'payment_demands.failed': 'A payment failed; `failure_reason` has the reason.',
  'payment_demands.refunded': 'A full or partial refund of a payment succeeded.',
  'payment_demands.disputed': 'A payer disputed a payment; see its `disputes`.',
  'capture_demands.created': 'A capture was accepted.',
  'capture_demands.updated': 'A capture was sent to the processor.',
  'capture_demands.succeeded': 'A held amount, or a part of it, was captured.',
  'capture_demands.failed': 'A capture failed, and the hold remains.',
  'disputes.created': 'A payer disputed a payment; its amount is blocked.',
  'disputes.updated': 'Evidence was written or submitted, or the dispute was accepted.',
  'disputes.won': 'The bank decided for the merchant.',
  'disputes.lost': 'The bank decided for the payer, who gets the money back.',
  'settlement_exceptions.created': 'A settlement of the processor differs from the ledger.',
  'settlement_exceptions.resolved': 'A settlement exception was resolved with a note.',
  'refund_demands.created': 'A refund was accepted, and its amount reserved.',
  'refund_demands.updated': 'A refund was sent to the processor.',
  'refund_demands.succeeded': 'A refund succeeded.',
  'refund_demands.failed': 'A refund failed; its amount can be refunded again.',
  'payment_subscriptions.created': 'A subscription was confirmed.',
  'payment_subscriptions.updated':
    'A subscription was changed, charged, paused, resumed or cancelled. Changes with their own code below emit both.',
  'payment_subscriptions.upcoming': 'A subscription is charged in a week.',
  'payment_subscriptions.past_due': 'A charge of a subscription failed and is past due.',
  'payment_subscriptions.recovered': 'A past due charge was paid.',
  'payment_subscriptions.unpaid':
    'The retries of a charge ended: it stays unpaid, and `dunning_final_action` was applied.',
  'payment_subscriptions.paused':
    'A subscription was paused: by request, or after the retries of a charge ended.',
  'payment_subscriptions.resumed': 'A paused subscription was resumed.',
  'payment_subscriptions.cancelled': 'A subscription has ended; `end_reason` has the reason.',
  'customers.merged':
    'A customer was merged into another one. Fetch it: `merged_into` is the customer who remains.',
  'payment_methods.created': 'A card was added.',
  'payment_methods.updated': 'A card was changed.',
  'webhook_subscriptions.tested':
    'A webhook subscription was tested. Only that subscription gets the event, and no list has it.',
};
