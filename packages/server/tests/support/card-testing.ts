import { luhnOk } from '@florin/contract/card/luhn.ts';
import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import type { ResourceObject } from './client.ts';
import { answerOf, callPay, type FormServer, mountForm, sealCard } from './form.ts';
import { browse, openPaymentPage, pageKeyOf, pathOf } from './link-visit.ts';

/** Extent of an attack. */
export interface AttackPlan {
  readonly cards: number;
  readonly addresses: number;
  /** Cards that are tried at once. */
  readonly at_once: number;
  /** An honest payer comes after each of this many cards. */
  readonly cards_per_payer: number;
}

/** Outcome of an attack. An answer is anything that tells a good card from a bad one. */
export interface AttackOutcome {
  answered: number;
  approved: number;
  refused: number;
  /** Answers to cards of the second half of the attack. */
  late_answers: number;
  payers_paid: number;
  payers_refused: number;
}

/** Cards per form: an attacker opens the next form before the limit of one. */
const CARDS_PER_FORM = 8;
const STATUS_POLL_MS = 20;
const STATUS_POLLS_MAX = 500;

/** A payment page that a payer opened. */
export interface OpenForm {
  readonly path: string;
  readonly config: FrameConfig;
  cards: number;
}

/** `unusable`: the issuer refused the card before a charge. `closed`: the form takes no card any more. */
export type Entry = 'refused' | 'approved' | 'failed' | 'unusable' | 'closed';

/** Tries `plan.cards` stolen cards at a payment link, each once. `afterRound` runs after each round of cards. */
export async function attackLink(
  server: FormServer,
  link: ResourceObject,
  plan: AttackPlan,
  afterRound: (cards: number) => void,
): Promise<AttackOutcome> {
  const outcome: AttackOutcome = {
    answered: 0,
    approved: 0,
    refused: 0,
    late_answers: 0,
    payers_paid: 0,
    payers_refused: 0,
  };
  const forms = new Map<string, OpenForm>();
  for (let first = 0; first < plan.cards; first += plan.at_once) {
    const cards = Array.from({ length: plan.at_once }, (_, at) => first + at);
    const entries = await Promise.all(
      cards.map((card) => tryCard(server, link, forms, addressOf(card % plan.addresses), card)),
    );
    for (const entry of entries) countEntry(outcome, entry, first >= plan.cards / 2);
    if (first % plan.cards_per_payer < plan.at_once)
      await payHonestly(server, link, first, outcome);
    afterRound(plan.at_once);
  }
  return outcome;
}

function countEntry(outcome: AttackOutcome, entry: Entry, isLate: boolean): void {
  if (entry === 'refused') {
    outcome.refused += 1;
    return;
  }
  outcome.answered += 1;
  if (entry === 'approved') outcome.approved += 1;
  if (isLate) outcome.late_answers += 1;
}

async function payHonestly(
  server: FormServer,
  link: ResourceObject,
  index: number,
  outcome: AttackOutcome,
): Promise<void> {
  const ip = `203.0.${113 + (index % 3)}.${1 + (index % 250)}`;
  const form = await openForm(server, link, ip);
  const names = ['visa', 'visa_19', 'mastercard', 'discover', 'amex'];
  const entry = form && (await enterCard(server, form, ip, names[index % names.length]));
  if (entry === 'approved') outcome.payers_paid += 1;
  else outcome.payers_refused += 1;
}

async function tryCard(
  server: FormServer,
  link: ResourceObject,
  forms: Map<string, OpenForm>,
  ip: string,
  card: number,
  kind: 'readable' | 'unreadable' = 'readable',
): Promise<Entry> {
  let form = forms.get(ip);
  if (!form || form.cards >= CARDS_PER_FORM) form = await openForm(server, link, ip);
  if (!form) return 'refused';
  form.cards += 1;
  forms.set(ip, form);
  const entry =
    kind === 'unreadable'
      ? await enterText(server, form, ip, `no card ${card}`)
      : await enterCard(server, form, ip, 'generic_decline', numberOf(card));
  if (entry === 'approved' || entry === 'closed') forms.delete(ip);
  return entry === 'closed' ? tryCard(server, link, forms, ip, card) : entry;
}

/** Sends as many cards as an address may, or texts that no vault can read. */
export async function floodLink(
  server: FormServer,
  link: ResourceObject,
  ip: string,
  count: number,
  kind: 'readable' | 'unreadable',
): Promise<Entry[]> {
  const forms = new Map<string, OpenForm>();
  const entries: Entry[] = [];
  for (let card = 0; card < count; card++)
    entries.push(await tryCard(server, link, forms, ip, card, kind));
  return entries;
}

/** Opens the page of a new payer. Undefined if the link accepts no more payers from the address. */
export async function openForm(
  server: FormServer,
  link: ResourceObject,
  ip: string,
): Promise<OpenForm | undefined> {
  const headers = { 'x-forwarded-for': ip };
  const page_key = pageKeyOf(await browse(server, pathOf(link), undefined, headers));
  const payer = { email: `${ip.replaceAll('.', '-')}@example.com`, name: 'Nobody', page_key };
  const begun = await browse(server, pathOf(link), payer, headers);
  const location = begun.headers.get('location');
  if (!location) return undefined;
  const { path, payment_id, grant } = await openPaymentPage(server, location);
  return { path, config: await mountForm(server, payment_id, grant), cards: 0 };
}

const CLOSED: readonly unknown[] = ['session_over', 'payment_closed'];
const address = { line_1: 'Hauptstraße 1', city: 'Berlin', state: '', zip: '10115', country: 'DE' };

/** Enters a card, and waits for the outcome of its charge. */
export async function enterCard(
  server: FormServer,
  { path, config }: OpenForm,
  ip: string,
  name?: string,
  number?: string,
): Promise<Entry> {
  const headers = { 'x-forwarded-for': ip };
  const sealed = await sealCard(config, name, number);
  const body = { ...sealed, billing_address: address };
  const verified = await callPay(server, '/frame/v1/verify', body, headers);
  if (verified.status === 429) return 'refused';
  const { result, detail } = answerOf(verified);
  if (CLOSED.includes(detail.code)) return 'closed';
  if (result !== 'verified') return 'unusable';
  await browse(server, `${path}/confirm`, {}, headers);
  return awaitOutcome(server, config);
}

/** Sends a text in place of an encrypted card number. */
async function enterText(
  server: FormServer,
  { config }: OpenForm,
  ip: string,
  text: string,
): Promise<Entry> {
  const body = { ...(await sealCard(config)), pan_jwe: text, billing_address: address };
  const { status } = await callPay(server, '/frame/v1/verify', body, { 'x-forwarded-for': ip });
  return status === 429 ? 'refused' : 'unusable';
}

async function awaitOutcome(server: FormServer, { session }: FrameConfig): Promise<Entry> {
  for (let polls = 0; polls < STATUS_POLLS_MAX; polls++) {
    const { text } = await callPay(server, `/frame/v1/status?session=${session}`);
    const { status } = JSON.parse(text) as { status: string };
    if (status === 'approved' || status === 'failed') return status;
    await new Promise((resolve) => setTimeout(resolve, STATUS_POLL_MS));
  }
  throw new Error('a payment has no outcome');
}

/** Each address is in a /24 of its own, like the hosts of a botnet. */
const addressOf = (index: number): string => `100.${64 + (index >> 8)}.${index & 255}.7`;

const NUMBER_PREFIX = '448562';
const NUMBER_DIGITS = 9;

/** A card number that no bank issued and the simulated network declines. */
function numberOf(index: number): string {
  const body = `${NUMBER_PREFIX}${String(index).padStart(NUMBER_DIGITS, '0')}`;
  const check = [...'0123456789'].find((digit) => luhnOk(`${body}${digit}`));
  return `${body}${check}`;
}
