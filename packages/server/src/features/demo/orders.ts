import { deliveryNote } from './delivery-note.ts';
import {
  type Buyer,
  buyers,
  clock,
  guest,
  type Purchase,
  plan,
  priceRise,
  purchases,
  shopRecords,
} from './products.ts';
import type { Program, Ref } from './shop/program.ts';

/** Path of the demo shop's webhook endpoint, on this server. */
export const HOOK_PATH = '/shop/webhooks';

export interface FirstOrders {
  /** Client of the interface with the demo shop's key. */
  readonly program: Program;
  /** The server's own local address. Requests stay on this host. */
  readonly interface_url: string;
  /** Waits before the next poll. Rejects when the server stops. */
  readonly pause: () => Promise<void>;
}

const EVENTS = [
  'transaction.payment_demands.succeeded',
  'transaction.payment_demands.failed',
  'transaction.refund_demands.succeeded',
];
/**
 * Event types that the shop's webhook keeps after the first orders. Few, so that webhooks do not
 * slow load tests in the sandbox.
 */
const DELAYED_EVENTS = ['transaction.disputes.won', 'transaction.disputes.lost'];
/** Maximum number of polls. Afterwards, an order counts as stuck. */
const POLLS_MAX = 60;

/**
 * Creates the first orders of a new demo merchant through the interface: customers, and payments in each state.
 * The shop receives webhooks of all these orders, and of `DELAYED_EVENTS` afterwards.
 */
export async function makeFirstOrders(orders: FirstOrders): Promise<void> {
  const { program, interface_url } = orders;
  const subscription = await program.create('webhook_subscriptions', {
    url: `${interface_url}${HOOK_PATH}`,
    description: 'The demo shop itself',
    events: EVENTS,
  });
  const parties = await Promise.all(buyers.map((buyer) => createParties(program, buyer)));
  await Promise.all(
    purchases.map((purchase) =>
      buyProduct(orders, purchase, parties[purchase.buyer] as Record<string, Ref>),
    ),
  );
  await subscribe(orders, parties[0] as Record<string, Ref>);
  await compareGuest(program, parties[1] as Record<string, Ref>);
  for (const { type, attributes } of shopRecords) await program.create(type, attributes);
  await untilDelivered(orders);
  await countDelivered(orders, subscription);
  await program.update(subscription, { events: DELAYED_EVENTS });
  await uploadEvidence(orders);
}

/** Creates a second customer with the email address of a buyer, and the preview of their merge. */
async function compareGuest(program: Program, { payer }: Record<string, Ref>): Promise<void> {
  const source = await program.create('customers', guest);
  await program.create('customer_merges', { dry_run: true }, { source, target: payer as Ref });
}

/** Uploads a file to the first dispute. */
async function uploadEvidence({ program, pause }: FirstOrders): Promise<void> {
  const findDispute = async () => (await program.list('disputes?page[size]=1'))[0];
  await pauseUntil(pause, async () => (await findDispute()) !== undefined);
  const dispute = await findDispute();
  if (!dispute) return;
  const query = 'file_name=delivery-note.pdf&purpose=shipping_documentation';
  await program.send('POST', `disputes/${dispute.id}/files?${query}`, deliveryNote());
}

/** Creates a subscription, a preview of a price change, and a sandbox clock for its customer. */
async function subscribe(
  { program, pause }: FirstOrders,
  parties: Record<string, Ref>,
): Promise<void> {
  const payment_subscription = await program.create('payment_subscriptions', plan, parties);
  await pauseUntil(pause, async () => {
    const path = `payment_subscriptions/${payment_subscription.id}`;
    const { attributes } = await program.send('GET', path);
    return attributes?.last_processed_at !== null;
  });
  await program.create('subscription_changes', priceRise, { payment_subscription });
  await program.create('sandbox_clocks', clock, { customer: parties.payer as Ref });
}

async function countDelivered({ program }: FirstOrders, subscription: Ref): Promise<void> {
  const { attributes } = await program.send('GET', `${subscription.type}/${subscription.id}`);
  const dryRunAttributes = { dry_run: true, since: attributes?.created_at };
  await program.create('webhook_replays', dryRunAttributes, { webhook_subscription: subscription });
}

async function createParties(
  { create }: Program,
  { customer, address, card }: Buyer,
): Promise<Record<string, Ref>> {
  const payer = await create('customers', customer);
  const [billing_address, payment_method] = await Promise.all([
    create('consumer_addresses', address, { customer: payer }),
    create('payment_methods', card, { customer: payer }),
  ]);
  return { payer, billing_address, payment_method };
}

async function buyProduct(
  orders: FirstOrders,
  { attributes, refund, capture }: Purchase,
  parties: Record<string, Ref>,
): Promise<void> {
  const { program } = orders;
  const payment_demand = await program.create('payment_demands', attributes, parties);
  if (capture) {
    await untilReached(orders, payment_demand, 'authorised');
    await untilReached(
      orders,
      await program.create('capture_demands', capture, { payment_demand }),
    );
  }
  if (!refund) return;
  await untilReached(orders, payment_demand);
  await untilReached(orders, await program.create('refund_demands', refund, { payment_demand }));
}

const untilReached = (
  { program, pause }: FirstOrders,
  { type, id }: Ref,
  status = 'succeeded',
): Promise<void> =>
  pauseUntil(pause, async () => {
    const { attributes } = await program.send('GET', `${type}/${id}`);
    return attributes?.status === status;
  });

const untilDelivered = ({ program, pause }: FirstOrders): Promise<void> =>
  pauseUntil(pause, async () => {
    const pending = await program.list('webhook_deliveries?filter[status]=pending&page[size]=1');
    return pending.length === 0;
  });

async function pauseUntil(
  pause: () => Promise<void>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    if (await isDone()) return;
    await pause();
  }
}
