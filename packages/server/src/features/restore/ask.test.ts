import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { InquireResult, Processor } from '../../processors/port/processor.ts';
import type { Services } from '../../services.ts';
import { AUTHORISATIONS_MAX, authorisationId } from '../attempts/attempt-id.ts';
import { unsentColumns } from '../attempts/decide-outcome.ts';
import { RESENT_MAX } from '../payments/decide-outcome.ts';
import { ask, type Candidates, NUMBERS_AFTER_KNOWN } from './ask.ts';

const payment_id = '01935f00-0000-7000-8000-00000000000a';
const MINUTE = 60_000_000;
const clock = { now: () => 100 * MINUTE };
const services = { clock, system_clock: clock } as unknown as Services;
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;
const approved: InquireResult = {
  result: 'approved',
  authorisation_code: 'A1',
  network_transaction_id: null,
  ...checks,
};
const declined: InquireResult = { result: 'declined', code: 'insufficient_funds', ...checks };
const unknown: InquireResult = { result: 'unknown', why: 'timeout' };

const numbersOf = (max: number): number[] => Array.from({ length: max }, (_, at) => at + 1);

type Books = Readonly<Record<number, InquireResult>>;

/** A processor that knows the messages of the payment with these numbers. `arrival_ms`: how late messages may arrive. */
function processorWith(books: Books, arrival_ms = 0): Processor {
  const numberOf = new Map(
    numbersOf(AUTHORISATIONS_MAX).map((n) => [authorisationId(payment_id, n), n]),
  );
  const inquire = {
    // An address that nobody may connect to, so that the message is not sent.
    mapRequest: () => ({ method: 'GET', url: 'http://127.0.0.1:0/', headers: {}, timeout_ms: 1 }),
    mapAnswer: (_: unknown, id = '') =>
      books[numberOf.get(id) ?? 0] ?? { result: 'not_found' as const },
  };
  return { metadata: { arrival_ms_max: arrival_ms }, inquire } as unknown as Processor;
}

const withoutInquiries = { metadata: {} } as unknown as Processor;

/** A processor that never answers, with the number of inquiries that it got. */
function silentProcessor() {
  const got = { inquiries: 0 };
  const { inquire, ...others } = processorWith({});
  const mapAnswer = (): InquireResult => {
    got.inquiries += 1;
    return unknown;
  };
  return { got, processor: { ...others, inquire: { ...inquire, mapAnswer } } as Processor };
}

const askAt = (routed: readonly Processor[], others: readonly Processor[] = [], known = 0) => {
  const toCandidates = (all: readonly Processor[]) => all.map((processor) => ({ processor }));
  const candidates: Candidates = { routed: toCandidates(routed), others: toCandidates(others) };
  const scope = { merchant_id: payment_id, mode: 'live' } as const;
  return ask(services, { ...scope, payment_id, known, candidates }, clock.now());
};

/** The answer with the number of its message. */
async function answerOf(...question: Parameters<typeof askAt>) {
  const reply: Row = {};
  const answer = await askAt(...question);
  if (answer.found === 'nothing') return { ...reply, found: 'nothing' };
  const number = numbersOf(AUTHORISATIONS_MAX).find(
    (n) => authorisationId(payment_id, n) === answer.lead.id,
  );
  return { found: answer.found, number, result: answer.lead.result.result };
}

describe('a question about a payment that may have been sent', () => {
  it('finds nothing where no account knows a message', async () => {
    expect(await answerOf([processorWith({})])).toEqual({ found: 'nothing' });
  });

  it('finds a charge under any of the next numbers, after attempts that were not sent', async () => {
    expect(await answerOf([processorWith({ 3: approved })])).toEqual({
      found: 'message',
      number: 3,
      result: 'approved',
    });
  });

  it('asks after the attempts that the database knows', async () => {
    const processor = processorWith({ 1: declined, 3: approved });
    expect(await answerOf([processor], [], 2)).toMatchObject({ number: 3, result: 'approved' });
  });

  it('prefers a charge to a decline, and the last decline to earlier ones', async () => {
    const charged = processorWith({ 1: declined, 2: approved });
    expect(await answerOf([charged])).toMatchObject({ number: 2, result: 'approved' });
    const refused = processorWith({ 1: declined, 2: declined });
    expect(await answerOf([refused])).toMatchObject({ number: 2, result: 'declined' });
  });

  it('finds a charge at an account that the rules of today do not name', async () => {
    const answer = await answerOf([processorWith({})], [processorWith({ 1: approved })]);
    expect(answer).toMatchObject({ found: 'message', result: 'approved' });
  });

  it.each<[string, Processor]>([
    ['gives no answer', processorWith({ 1: unknown })],
    ['answers no inquiries', withoutInquiries],
    ['may still get the message', processorWith({}, 60_000)],
  ])('is unclear where the account of the route %s', async (_, processor) => {
    expect(await answerOf([processor])).toMatchObject({ found: 'unclear', number: 1 });
    expect(await answerOf([processorWith({})], [processor])).toEqual({ found: 'nothing' });
  });

  it('leaves what no inquiry can tell to an operator', async () => {
    const answer = await askAt([withoutInquiries]);
    expect(answer).toMatchObject({ found: 'unclear', lead: { result: { next: 'operator' } } });
  });

  it('prefers the charge at one account to the doubt about another', async () => {
    const answer = await answerOf([processorWith({ 1: unknown }), processorWith({ 1: approved })]);
    expect(answer).toMatchObject({ found: 'message', result: 'approved' });
  });

  it('finds a charge at the second account after a decline at the first, although messages may still arrive', async () => {
    const first = processorWith({ 1: declined }, 60_000);
    const second = processorWith({ 2: approved }, 60_000);
    expect(await answerOf([first, second])).toMatchObject({ number: 2, result: 'approved' });
  });

  it('finds a charge after numbers that may still arrive, and after one without an answer', async () => {
    const late = processorWith({ 2: approved }, 60_000);
    expect(await answerOf([late])).toMatchObject({ number: 2, result: 'approved' });
    const silentOnce = processorWith({ 1: unknown, 2: approved });
    expect(await answerOf([silentOnce])).toMatchObject({ number: 2, result: 'approved' });
  });

  it('finds a charge after all messages of an outage, with two accounts', async () => {
    const number = messagesOfOutage() * 2 + RESENT_MAX;
    expect(number).toBeLessThanOrEqual(NUMBERS_AFTER_KNOWN);
    expect(await answerOf([processorWith({ [number]: approved })])).toMatchObject({ number });
    const later = processorWith({ 70: declined, 140: approved });
    expect(await answerOf([later])).toMatchObject({ number: 140, result: 'approved' });
  });

  it('has no doubt about messages before a known one, and holds the number after it', async () => {
    const answered = processorWith({ 1: unknown, 2: declined });
    expect(await answerOf([answered])).toMatchObject({ number: 2, result: 'declined' });
    const late = processorWith({ 2: declined }, 60_000);
    expect(await answerOf([late])).toMatchObject({ found: 'unclear', number: 3 });
  });

  it('counts the failures of a round together, and asks a silent account in one round only', async () => {
    const { got, processor } = silentProcessor();
    expect(await answerOf([processor])).toMatchObject({ found: 'unclear' });
    expect(got.inquiries).toBe(4);
  });

  it('tells of each round, so that a lease can be renewed', async () => {
    let rounds = 0;
    const candidates: Candidates = { routed: [{ processor: processorWith({}) }], others: [] };
    const scope = { merchant_id: payment_id, mode: 'live' } as const;
    const beforeRound = async () => void rounds++;
    await ask(services, { ...scope, payment_id, known: 0, candidates, beforeRound }, clock.now());
    expect(rounds).toBe(NUMBERS_AFTER_KNOWN / 4);
  });

  it('leaves a payment with more numbers than Florin asks for to an operator', async () => {
    const all = numbersOf(AUTHORISATIONS_MAX).map((n) => [n, declined] as const);
    const processor = processorWith(Object.fromEntries(all));
    const answer = await askAt([processor]);
    expect(answer).toMatchObject({ found: 'unclear', lead: { result: { next: 'operator' } } });
  });
});

/** Messages that an account cannot send until the payment fails. */
function messagesOfOutage(): number {
  let demand: Row | undefined = { unsent_count: '0' };
  let count = 0;
  for (let now = clock.now(); demand; count++) {
    demand = unsentColumns(demand, now);
    if (demand) now = microsOf(demand.due_at as string);
  }
  return count;
}
