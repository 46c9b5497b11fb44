import { type ClusterOptions, startCluster } from '../support/cluster.ts';
import { compareLedgers } from '../support/compare.ts';
import { type AcceptedPayment, createPayer } from '../support/payer.ts';
import { createTimeline, type OpenPart, type Part, type Timeline } from '../support/timeline.ts';
import { type SignatureCounts, startReceiver } from './receiver.ts';
import type { Place, Rotation } from './rotations.ts';
import { createShopper, type Shopper } from './shopper.ts';
import { openTill, type Till } from './till.ts';

export interface KeysPlan
  extends Pick<ClusterOptions, 'dataDir' | 'postgresUrl' | 'apis' | 'workers'> {
  readonly rotations: readonly Rotation[];
  readonly at_once: number;
  readonly per_second: number;
  readonly activation_ms: number;
}

export interface RotationReport extends Part {
  readonly name: string;
  readonly ends_processes: boolean;
  readonly new_cards: number;
}

export interface KeysReport {
  readonly rotations: readonly RotationReport[];
  readonly payments: number;
  readonly new_cards: number;
  /** Charges of the card that was stored before all rotations. */
  readonly stored_card_charges: number;
  readonly webhooks: SignatureCounts;
  readonly log: readonly string[];
  readonly errors: readonly string[];
  readonly differences: readonly string[];
}

/** Takes payments with stored and new cards while an operator rotates every key. */
export async function rehearseKeys(plan: KeysPlan): Promise<KeysReport> {
  await using cluster = await startCluster(plan);
  await using receiver = await startReceiver();
  const timeline = createTimeline();
  const payer = timeline.watch(createPayer(cluster.apis, cluster.secretKey, timeline.onAnswer));
  await payer.prepare();
  const shopper = createShopper(payer, {
    payUrl: cluster.payUrl,
    publishable_key: cluster.publishableKey,
    onFailure: timeline.onFailure,
  });
  const subscription = await payer.make('hook', 'webhook_subscriptions', {
    url: receiver.url,
    events: ['transaction.payment_demands.succeeded'],
  });
  receiver.addSecret(String(subscription.attributes.secret_key));
  const log: string[] = [];
  const place = { ...plan, cluster, payer, receiver, subscription, log };
  const till = await openTill(payer, shopper, plan);
  const rotations: EndedRotation[] = [];
  try {
    for (const rotation of plan.rotations)
      rotations.push(await rotate(rotation, { place, timeline, shopper, till }));
  } finally {
    await till.close();
  }
  const accepted: readonly AcceptedPayment[] = [...payer.accepted, ...shopper.accepted];
  const { differences } = await compareLedgers(cluster, accepted);
  return {
    rotations: rotations.map(({ part, ...rotation }) => ({ ...rotation, ...part.figures() })),
    payments: accepted.length,
    new_cards: till.newCards(),
    stored_card_charges: till.charges(),
    webhooks: receiver.counts(),
    log,
    errors: till.errors,
    differences,
  };
}

type EndedRotation = Omit<RotationReport, keyof Part> & { readonly part: OpenPart };

interface Stage {
  readonly place: Omit<Place, 'payOpenForm'>;
  readonly timeline: Timeline;
  readonly shopper: Shopper;
  readonly till: Till;
}

/** Rotates, pays a form that was open before, and charges the first card again. */
async function rotate(rotation: Rotation, stage: Stage): Promise<EndedRotation> {
  const { place, timeline, shopper, till } = stage;
  const { name, ends_processes = false } = rotation;
  const part = timeline.begin();
  const before = till.newCards();
  const form = await shopper.openForm(`open before ${name}`);
  let paid: Promise<void> | undefined;
  const payOpenForm = () => {
    paid ??= till.pay(form);
    return paid;
  };
  await rotation.run({ ...place, payOpenForm });
  await payOpenForm();
  await till.chargeFirstCard(name);
  part.end();
  return { name, ends_processes, new_cards: till.newCards() - before, part };
}

/** Nothing fails, except requests to processes that ended; these were repeated. */
export const isGood = ({ rotations, webhooks, errors, differences }: KeysReport): boolean =>
  errors.length === 0 &&
  differences.length === 0 &&
  webhooks.forged === 0 &&
  webhooks.newest > 0 &&
  rotations.every(({ ends_processes, failures }) => ends_processes || failures.length === 0);
