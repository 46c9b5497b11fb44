import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { describe, expect, it } from 'vitest';
import { createHandles } from '../../src/features/threeds/handles.ts';
import { instanceSecret } from '../../src/store/instance-secrets.ts';
import type { Row } from '../../src/store/row.ts';
import { useApi } from '../support/api.ts';
import { askForm, browser, enterCode, openChallenge, post, postingOf } from '../support/bank.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { eventually, makeAddress, makeCustomer, makeDemand, settled } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';

const api = useApi({ pace: 0.05, config: { challenge_limit_ms: 3_000 } });
const key = () => api.stack.credentials.sandbox.publishable_key;

/** Amounts that the simulated bank answers in a way of its own, whatever the card. */
const amounts = {
  frictionless: 9811,
  rejected: 9812,
  challenge: 9813,
  not_enrolled: 9814,
  unattempted: 9815,
  unavailable: 9816,
  attempted: 9817,
  informational: 9818,
  duplicate: 9827,
  error: 9825,
} as const;
type Result = keyof typeof amounts;

/** A payment that lacks nothing but a card. */
async function intent(amount_cents: number, client = api.client): Promise<string> {
  const payer = await makeCustomer(client);
  const billing_address = await makeAddress(client, {}, { customer: payer });
  return (await makeDemand(client, { amount_cents }, { payer, billing_address })).id;
}

interface Verified {
  readonly payment: string;
  readonly session: string;
  readonly answer: VerifyAnswer;
  /** What was sent, for it to be sent again. */
  readonly body: object;
}

async function verify(amount: number, card = 'visa', payment?: string): Promise<Verified> {
  const id = payment ?? (await intent(amount));
  const form = await mountForm(api.stack, id, key());
  const body = { ...(await sealCard(form, card)), browser };
  const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', body));
  return { payment: id, session: form.session, answer, body };
}

const handleOf = ({ answer }: Verified): string =>
  answer.result === 'challenge' ? answer.challenge.authentication : '';

/** Asks until the challenge is over. */
const outcomeOf = (verified: Verified): Promise<VerifyAnswer> =>
  eventually(
    () =>
      askForm(api.stack, 'challenge', {
        session: verified.session,
        authentication: handleOf(verified),
      }),
    ({ result }) => result !== 'challenge',
  );

const cardOf = async (id: string): Promise<Record<string, unknown>> =>
  (await api.client.fetch('payment_methods', id)).attributes;

const authenticationsOf = (payment: string): Promise<Row[]> =>
  api.books.db.query(
    'select * from authentications where payment_id = $1 order by created_at, id',
    [payment],
  );

async function pay(payment: string): Promise<Record<string, unknown>> {
  await api.client.send('PATCH', `/v2/payment_demands/${payment}/confirm`);
  return (await settled(api.client, payment)).attributes;
}

/** Indicators by brand: authenticated, attempted, for information, none of them. */
const brands = {
  visa: { Y: '05', A: '06', I: '07', other: '07' },
  mastercard: { Y: '02', A: '01', I: '06', other: '00' },
  discover: { Y: '05', A: '06', I: '07', other: '07' },
  amex: { Y: '05', A: '06', I: '07', other: '07' },
} as const;

/** What each result makes of a card, and the status it leaves on the payment. */
const results: readonly [Result, string, string, string | null][] = [
  ['frictionless', 'verified', 'confirmed', 'Y'],
  ['rejected', 'failed', 'failed', null],
  ['challenge', 'verified', 'confirmed', 'Y'],
  ['not_enrolled', 'verified', 'confirmed', 'not_enrolled'],
  ['unattempted', 'failed', 'failed', null],
  ['unavailable', 'verified', 'confirmed', 'U'],
  ['attempted', 'verified', 'confirmed', 'A'],
  ['informational', 'verified', 'confirmed', 'I'],
];

describe.each(Object.entries(brands))('a %s card', (brand, indicators) => {
  it.each(results)('that the bank answers as %s is %s', async (result, told, state, status) => {
    const verified = await verify(amounts[result], brand);
    if (result === 'challenge') {
      const { detail } = verified.answer;
      expect((await cardOf(detail.payment_method as string)).external_state).toBe('pending');
      await enterCode(await openChallenge(api.stack, verified.answer), '123456');
    }
    const answer = result === 'challenge' ? await outcomeOf(verified) : verified.answer;
    expect(answer.result).toBe(told);
    expect((await cardOf(answer.detail.payment_method as string)).external_state).toBe(state);
    const { attributes } = await api.client.fetch('payment_demands', verified.payment);
    const eci = indicators[status as 'Y'] ?? indicators.other;
    expect(attributes).toMatchObject({
      status: status ? 'ready' : 'incomplete',
      threeds_status: status,
      threeds_version: status && '2.2.0',
      eci: status && eci,
    });
    const named = status !== null && status !== 'not_enrolled';
    expect(attributes.directory_transaction_eid !== null).toBe(named);
    expect(attributes.acs_transaction_eid !== null).toBe(named);
    expect(attributes.threeds_cryptogram !== null).toBe(status === 'Y' || status === 'A');
    if (status) expect((await pay(verified.payment)).status).toBe('succeeded');
  });
});

describe('a challenge', () => {
  it('of a test token counts as passed, as there is no browser to show it in', async () => {
    const method = await api.client.make('payment_methods', {
      card_pan_token: 'pan_test_threeds_challenge',
      card_cvv_token: 'cvv_test',
      expiry_month: 12,
      expiry_year: 2031,
    });
    expect(method.attributes.external_state).toBe('confirmed');
  });

  it('is failed by the third wrong code', async () => {
    const verified = await verify(amounts.challenge);
    let opened = await openChallenge(api.stack, verified.answer);
    for (const code of ['1', '2', '3']) opened = await enterCode(opened, code);
    expect((await outcomeOf(verified)).detail.code).toBe('challenge_failed');
  });

  it('tells its card’s state in events: created, then updated', async () => {
    const verified = await verify(amounts.challenge);
    await enterCode(await openChallenge(api.stack, verified.answer), '123456');
    const { detail } = await outcomeOf(verified);
    const { body } = await api.client.get(
      `/v2/events?filter[resource_id]=${detail.payment_method}&sort=created_at`,
    );
    const told = body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
      attributes.slug,
      JSON.stringify(attributes.data).match(/"external_state":"(\w+)"/)?.[1],
    ]);
    expect(told).toEqual([
      ['created', 'pending'],
      ['updated', 'confirmed'],
    ]);
  });

  it('counts once, however often and in whatever order its results come', async () => {
    const verified = await verify(amounts.duplicate);
    await enterCode(await openChallenge(api.stack, verified.answer), '123456');
    await outcomeOf(verified);
    const before = await authenticationsOf(verified.payment);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await authenticationsOf(verified.payment)).toEqual(before);
    expect(before.map(({ status }) => status)).toEqual(['authenticated']);
  });

  it('is not decided by what the browser carries back', async () => {
    const verified = await verify(amounts.challenge);
    if (verified.answer.result !== 'challenge') throw new Error('no challenge');
    const done = `${verified.answer.challenge.page_url}/done`;
    const cres = Buffer.from(JSON.stringify({ transStatus: 'Y' })).toString('base64url');
    const back = await post(api.stack.payUrl, {
      url: `${api.stack.payUrl}${done}`,
      fields: { cres },
    });
    expect(back.status).toBe(200);
    expect((await authenticationsOf(verified.payment))[0]?.status).toBe('challenged');
  });

  it('takes its result only at the address that the directory server was given', async () => {
    const verified = await verify(amounts.challenge);
    const [row] = await authenticationsOf(verified.payment);
    const { merchant_id, id } = row as Record<string, string>;
    const result = {
      reference: id,
      ds_trans_id: row?.directory_transaction_eid,
      acs_trans_id: row?.acs_transaction_eid,
      message_version: '2.2.0',
      trans_status: 'Y',
      eci: '05',
      cavv: 'AAAA',
    };
    const tell = async (handle: string, message: object = result): Promise<number> =>
      (
        await rawRequest(api.stack.baseUrl, {
          method: 'POST',
          path: `/threeds/v1/results/${handle}`,
          headers: { host: new URL(api.stack.baseUrl).host, 'content-type': 'application/json' },
          body: JSON.stringify(message),
        })
      ).status;
    const handles = createHandles(await instanceSecret(api.books.db, 'authentications'));
    const name = { merchant_id, mode: 'sandbox', id } as Parameters<typeof handles.of>[1];
    const state = async () => (await authenticationsOf(verified.payment))[0]?.status;
    expect(await tell(handleOf(verified))).toBe(404);
    expect(await tell(`${handles.of('directory', name).slice(0, -1)}x`)).toBe(404);
    expect(await tell(handles.of('directory', name), { ...result, reference: 'x' })).toBe(404);
    expect(await tell(handles.of('directory', name), { ...result, acs_trans_id: 'x' })).toBe(200);
    expect(await state()).toBe('challenged');
    expect(await tell(handles.of('directory', name))).toBe(200);
    expect(await state()).toBe('authenticated');
    expect(await tell(handles.of('directory', name), { ...result, trans_status: 'N' })).toBe(200);
    expect(await state()).toBe('authenticated');
  });

  it('that the cardholder gives up is over: a later result changes nothing', async () => {
    const verified = await verify(amounts.challenge);
    const opened = await openChallenge(api.stack, verified.answer);
    const call = { session: verified.session, authentication: handleOf(verified) };
    const cancelled = await askForm(api.stack, 'challenge/cancel', call);
    expect([cancelled.result, cancelled.detail.code]).toEqual(['failed', 'challenge_cancelled']);
    await enterCode(opened, '123456');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await askForm(api.stack, 'challenge', call)).detail.code).toBe('challenge_cancelled');
    const { relationships } = await api.client.fetch('payment_demands', verified.payment);
    expect(relationships.payment_method?.data ?? null).toBeNull();
  });

  it('that is approved can no longer be given up', async () => {
    const verified = await verify(amounts.challenge);
    await enterCode(await openChallenge(api.stack, verified.answer), '123456');
    await outcomeOf(verified);
    const call = { session: verified.session, authentication: handleOf(verified) };
    expect((await askForm(api.stack, 'challenge/cancel', call)).result).toBe('verified');
  });

  it('of another payment, or with a handle that was made up, is nobody’s', async () => {
    const [verified, other] = await Promise.all([
      verify(amounts.challenge),
      verify(amounts.challenge),
    ]);
    for (const authentication of [handleOf(other), `${handleOf(verified)}x`, '']) {
      const call = { session: verified.session, authentication };
      const { status } = await callPay(api.stack, '/frame/v1/challenge', call);
      expect(status).toBe(422);
    }
  });

  it('ends when its time is over', async () => {
    const verified = await verify(amounts.challenge);
    await openChallenge(api.stack, verified.answer);
    const answer = await outcomeOf(verified);
    expect([answer.result, answer.detail.code]).toEqual(['failed', 'challenge_timeout']);
    expect((await cardOf(answer.detail.payment_method as string)).external_state).toBe('failed');
  });
});

describe('a card that is sent again because no answer came', () => {
  it('is the same attempt: one authentication, one payment method, the same answer', async () => {
    const { payment, body, answer } = await verify(amounts.frictionless);
    const again = () => callPay(api.stack, '/frame/v1/verify', body);
    const answers = await Promise.all([again(), again(), again()]);
    for (const repeated of answers) expect(answerOf(repeated)).toEqual(answer);
    expect(await authenticationsOf(payment)).toHaveLength(1);
  });

  it('is so when both are under way at once', async () => {
    const payment = await intent(amounts.challenge);
    const form = await mountForm(api.stack, payment, key());
    const body = { ...(await sealCard(form)), browser };
    const send = async () => answerOf(await callPay(api.stack, '/frame/v1/verify', body));
    const [first, second] = await Promise.all([send(), send()]);
    expect(first).toEqual(second);
    expect(await authenticationsOf(payment)).toHaveLength(1);
  });
});

describe('two forms of one payment', () => {
  it('that send cards at once have one authentication between them', async () => {
    const payment = await intent(amounts.challenge);
    await Promise.all(
      ['visa', 'mastercard', 'amex'].map((card) => verify(amounts.challenge, card, payment)),
    );
    const rows = await authenticationsOf(payment);
    const open = rows.filter(({ status }) => status === 'challenged' || status === 'asking');
    expect([rows.length, open.length]).toEqual([3, 1]);
    const replaced = rows.filter(({ failure_code }) => failure_code === 'challenge_replaced');
    expect(replaced.length).toBe(2);
  });
});

describe('a merchant that requires 3-D Secure', () => {
  it.each(['not_enrolled', 'unavailable'] as const)('takes no card that is %s', async (result) => {
    const merchant = await api.books.makeMerchant({ threeds_sandbox: 'required' });
    const payment = await intent(amounts[result], api.as(await merchant.key()));
    const form = await mountForm(api.stack, payment, await merchant.key({ context: 'browser' }));
    const answer = answerOf(
      await callPay(api.stack, '/frame/v1/verify', { ...(await sealCard(form)), browser }),
    );
    expect([answer.result, answer.detail.code]).toEqual(['failed', 'authentication_required']);
  });
});

describe('a cryptogram', () => {
  /** Authorises at the network itself, past the server, with what an authentication came to. */
  const authorise = async (changes: object, card = '4005519200000004') => {
    const response = await fetch(`${api.stack.simulatorUrl}${networkPaths.authorisations}`, {
      method: 'POST',
      body: JSON.stringify({
        reference: `thief-${Math.floor(performance.now() * 1000)}`,
        amount: amounts.frictionless,
        currency: 'USD',
        card: { number: card, cvv: '123', expiry_month: '12', expiry_year: '2031' },
        capture: true,
        ...changes,
      }),
    });
    return ((await response.json()) as { result: string }).result;
  };

  it('counts once, for its card and its amount', async () => {
    const { payment } = await verify(amounts.frictionless);
    const { attributes } = await api.client.fetch('payment_demands', payment);
    const authentication = {
      eci: attributes.eci,
      cavv: attributes.threeds_cryptogram,
      transaction_id: attributes.directory_transaction_eid,
    };
    expect(await authorise({ authentication, amount: 1 })).toBe('declined');
    expect(await authorise({ authentication, currency: 'EUR' })).toBe('declined');
    expect(await authorise({ authentication }, '6011450103333333')).toBe('declined');
    expect((await pay(payment)).status).toBe('succeeded');
    expect(await authorise({ authentication })).toBe('declined');
    expect(await authorise({})).toBe('approved');
  });
});

describe('the bank’s look at the browser', () => {
  const look = async (amount: number): Promise<{ payment: string; page_url?: string }> => {
    const payment = await intent(amount);
    const { session } = await mountForm(api.stack, payment, key());
    const body = { session, bin: '400551' };
    const { text } = await callPay(api.stack, '/frame/v1/fingerprint', body);
    return { payment, ...(JSON.parse(text) as { page_url?: string }) };
  };

  it('is over when the bank’s page has sent the browser back', async () => {
    const { payment, page_url = '' } = await look(2499);
    const launch = postingOf((await callPay(api.stack, page_url)).text);
    const bank = postingOf((await post(launch.url, launch)).text);
    expect(new URL(launch.url).hostname).toBe('acs.localhost');
    expect((await post(launch.url, bank)).status).toBe(200);
    expect((await authenticationsOf(payment))[0]?.status).toBe('fingerprinted');
  });

  it('begins nothing where the bank does not take part', async () => {
    const { payment, page_url } = await look(amounts.not_enrolled);
    expect(page_url).toBeUndefined();
    expect(await authenticationsOf(payment)).toEqual([]);
  });

  it('belongs to the authentication of the card that follows', async () => {
    const payment = await intent(2499);
    const form = await mountForm(api.stack, payment, key());
    const { text } = await callPay(api.stack, '/frame/v1/fingerprint', {
      session: form.session,
      bin: '400551',
    });
    const { authentication } = JSON.parse(text) as Record<string, string>;
    await callPay(api.stack, '/frame/v1/verify', {
      ...(await sealCard(form)),
      browser,
      authentication,
    });
    expect((await authenticationsOf(payment)).map(({ status }) => status)).toEqual([
      'authenticated',
    ]);
  });

  it.each(['40055', '4005519', 'abcdef'])(
    'is not for what is no range of cards (%s)',
    async (bin) => {
      const { session } = await mountForm(api.stack, await intent(2499), key());
      const { status } = await callPay(api.stack, '/frame/v1/fingerprint', { session, bin });
      expect(status).toBe(422);
    },
  );
});
