import { randomBytes } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDataDir } from '../client.ts';
import { createReceiver } from '../notifications/receiver.ts';
import { hasSchemas, schemaErrors } from './schemas.ts';
import {
  createPaymentRequest,
  createStandInClient,
  errorOf,
  type StandInClient,
  useSimulator,
} from './stand-in.ts';

const DAY_MS = 24 * 60 * 60_000;
const simulator = useSimulator();
let client: StandInClient;
beforeAll(async () => {
  client = await createStandInClient(simulator.url);
});

type Members = Record<string, unknown>;

async function pay(reference?: string, amount = 2499): Promise<string> {
  const request = createPaymentRequest({ capture: true, reference, amount });
  return ((await client.sdk.payments.request(request)) as { id: string }).id;
}

/** Opens a dispute of a new payment. */
async function dispute(order: object = {}, reference?: string): Promise<string> {
  const payment = await pay(reference);
  const response = await client.control('POST', `/payments/${payment}/disputes`, order);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const details = async (id: string) => (await client.sdk.disputes.getDetails(id)) as Members;
const move = async (id: string, status: string, others: object = {}) =>
  (await client.control('POST', `/disputes/${id}/status`, { status, ...others })).status;

describe('a dispute by the official SDK', () => {
  it('is listed and read with its payment', async () => {
    const id = await dispute({ category: 'duplicate', reason_code: '12.6.1' }, 'disputed-1');
    const list = await client.sdk.disputes.get({ payment_reference: 'disputed-1' });
    expect(list).toMatchObject({
      total_count: 1,
      data: [
        {
          id,
          category: 'duplicate',
          reason_code: '12.6.1',
          status: 'evidence_required',
          amount: 2499,
          currency: 'EUR',
          payment_reference: 'disputed-1',
          payment_arn: expect.stringMatching(/^\d{23}$/),
        },
      ],
    });
    expect(await details(id)).toMatchObject({
      id,
      relevant_evidence: expect.arrayContaining(['invoice_showing_distinct_transactions']),
      payment: { amount: 2499, has_refund: false, processing_channel_id: client.channel },
    });
  });

  it('may have another amount and currency than its payment', async () => {
    const id = await dispute({ amount: -100, currency: 'GBP' });
    expect(await details(id)).toMatchObject({ amount: -100, currency: 'GBP' });
  });

  it('is listed by page, status and time', async () => {
    const other = await createStandInClient(simulator.url);
    const first = await dispute({}, 'pages');
    const second = await dispute({}, 'pages');
    await client.sdk.disputes.accept(first);
    const list = async (query: object) => {
      const found = await client.sdk.disputes.get({ payment_reference: 'pages', ...query });
      return (found as { data: Members[] }).data.map(({ id }) => id);
    };
    expect(await list({})).toEqual([second, first]);
    expect(await list({ limit: 1, skip: 1 })).toEqual([first]);
    expect(await list({ statuses: 'accepted,won' })).toEqual([first]);
    expect(await list({ to: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await list({ id: second })).toEqual([second]);
    expect(await other.sdk.disputes.get()).toMatchObject({ total_count: 0, data: [] });
    expect((await errorOf(other.sdk.disputes.getDetails(first))).http_code).toBe(404);
    const tooMany = await errorOf(client.sdk.disputes.get({ limit: 251 }));
    expect(tooMany.body.error_codes).toEqual(['paging_limit_invalid']);
  });

  it('is accepted finally', async () => {
    const id = await dispute();
    await client.sdk.disputes.accept(id);
    expect((await details(id)).status).toBe('accepted');
    expect((await errorOf(client.sdk.disputes.accept(id))).http_code).toBe(403);
  });

  it('takes evidence in parts, and once it is submitted no more', async () => {
    const id = await dispute();
    expect((await errorOf(client.sdk.disputes.getEvidence(id))).http_code).toBe(404);
    expect((await errorOf(client.sdk.disputes.submit(id))).body.error_codes).toEqual([
      'evidence_required',
    ]);
    const first = { customer_communication_text: 'Mail', additional_evidence_text: 'First' };
    await client.sdk.disputes.provideEvidence(id, first);
    const file = await upload('receipt.pdf', PDF);
    const parts = { invoice_or_receipt_file: file, additional_evidence_text: 'Second' };
    await client.sdk.disputes.provideEvidence(id, parts);
    expect(await client.sdk.disputes.getEvidence(id)).toEqual({ ...first, ...parts });
    await client.sdk.disputes.submit(id);
    expect((await details(id)).status).toBe('evidence_under_review');
    const late = client.sdk.disputes.provideEvidence(id, parts);
    expect((await errorOf(late)).http_code).toBe(403);
    expect((await errorOf(client.sdk.disputes.submit(id))).http_code).toBe(403);
  });

  it.each([
    [{}, 'evidence_required'],
    [{ letter: 'x' }, 'evidence_required'],
    [{ additional_evidence_text: 'x'.repeat(501) }, 'additional_evidence_text_invalid'],
    [{ additional_evidence_file: 'file_unknown' }, 'additional_evidence_file_invalid'],
  ])('refuses evidence with 422 %#', async (evidence, code) => {
    const error = await errorOf(client.sdk.disputes.provideEvidence(await dispute(), evidence));
    expect(error).toMatchObject({ http_code: 422, body: { error_codes: [code] } });
  });

  it('has a second round with evidence of its own', async () => {
    const id = await dispute();
    expect(await move(id, 'won')).toBe(204);
    expect(await move(id, 'arbitration_under_review')).toBe(204);
    await client.sdk.disputes.provideEvidence(id, { additional_evidence_text: 'Round two' });
    await client.sdk.disputes.submitArbitrationEvidence(id);
    expect((await details(id)).status).toBe('arb_evidence_submitted');
    expect(await move(id, 'arbitration_lost')).toBe(204);
    expect(await move(id, 'won')).toBe(400);
  });

  it('expires after its deadline without evidence, and not with evidence', async () => {
    const silent = await dispute({ evidence_ms: DAY_MS });
    const answered = await dispute({ evidence_ms: DAY_MS });
    await client.sdk.disputes.provideEvidence(answered, { additional_evidence_text: 'x' });
    await client.sdk.disputes.submit(answered);
    await client.advance(DAY_MS);
    expect((await details(silent)).status).toBe('expired');
    expect((await details(answered)).status).toBe('evidence_under_review');
    expect((await errorOf(client.sdk.disputes.accept(silent))).http_code).toBe(403);
  });

  it('is opened by the amount of the payment, once that is captured', async () => {
    const payment_id = await pay('by-amount', 19_708);
    expect(await client.sdk.disputes.get({ payment_id })).toMatchObject({
      total_count: 1,
      data: [{ payment_id, amount: 19_708, status: 'evidence_required' }],
    });
  });
});

const PDF = Buffer.from('%PDF-1.7 evidence');
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

async function upload(name: string, content: Buffer, purpose = 'dispute_evidence') {
  const folder = createDataDir();
  const path = join(folder, name);
  writeFileSync(path, content);
  const file = await client.sdk.files.upload({ file: createReadStream(path), purpose });
  return (file as { id: string }).id;
}

describe('a file by the official SDK', () => {
  it.each([
    ['slip.jpg', JPEG],
    ['slip.png', PNG],
    ['slip.pdf', PDF],
    ['large.pdf', Buffer.concat([PDF, randomBytes(4 * 1024 * 1024 - PDF.length)])],
  ])('%s is stored', async (name, content) => {
    const id = await upload(name, content);
    expect(id).toMatch(/^file_[a-z2-7]{26}$/);
    expect(await client.sdk.files.getFile(id)).toMatchObject({
      id,
      filename: name,
      purpose: 'dispute_evidence',
      size: content.length,
    });
  });

  it.each([
    [Buffer.from('GIF89a'), 'dispute_evidence', 'file_type_invalid'],
    [Buffer.concat([PDF, Buffer.alloc(4 * 1024 * 1024)]), 'dispute_evidence', 'file_size_exceeded'],
    [PDF, 'identity', 'purpose_invalid'],
  ])('is refused with 422 %#', async (content, purpose, code) => {
    const error = await errorOf(upload('file.pdf', content, purpose));
    expect(error.body.error_codes).toEqual([code]);
  });

  it('of another account cannot be seen', async () => {
    const id = await upload('slip.pdf', PDF);
    const other = await createStandInClient(simulator.url);
    expect((await errorOf(other.sdk.files.getFile(id))).http_code).toBe(404);
  });

  it('in a body that is not a form gets 400', async () => {
    const type = 'multipart/form-data; boundary=x';
    const response = await client.send('POST', '/files', 'no form', { 'content-type': type });
    expect(response.status).toBe(400);
    expect((await client.send('POST', '/files', {})).status).toBe(422);
  });
});

describe('events of disputes', () => {
  it('tell each step', async () => {
    await using receiver = await createReceiver();
    await client.configure({ webhook_url: receiver.url, webhook_key: 'key' });
    const evidence = { additional_evidence_text: 'x' };
    const answered = await dispute({}, 'told');
    await client.sdk.disputes.provideEvidence(answered, evidence);
    await client.sdk.disputes.submit(answered);
    await client.control('POST', `/disputes/${answered}/acknowledgement`);
    await move(answered, 'won');
    await move(answered, 'arbitration_under_review');
    await move(answered, 'arbitration_won');
    await client.sdk.disputes.accept(await dispute());
    await move(await dispute(), 'canceled');
    await move(await dispute(), 'lost');
    await move(await dispute(), 'resolved', { resolved_reason: 'already_refunded' });
    await dispute({ evidence_ms: 1000 });
    await client.advance(1000);
    const opened = ['dispute_received', 'dispute_evidence_required'];
    const expected = [
      ...opened,
      'dispute_evidence_submitted',
      'dispute_evidence_acknowledged_by_scheme',
      'dispute_won',
      'dispute_arbitration_won',
      ...[...opened, 'dispute_accepted'],
      ...[...opened, 'dispute_canceled'],
      ...[...opened, 'dispute_lost'],
      ...[...opened, 'dispute_resolved'],
      ...[...opened, 'dispute_expired'],
    ];
    // Each of the six payments also has an approval and a capture.
    const all = await receiver.arrived(expected.length + 12);
    const told = all
      .map(({ body }) => JSON.parse(body) as { type: string; data: Members })
      .filter(({ type }) => type.startsWith('dispute_'));
    expect(told.map(({ type }) => type)).toEqual(expected);
    expect(told[0]?.data).toMatchObject({
      id: answered,
      payment_id: expect.stringMatching(/^pay_/),
      payment_reference: 'told',
      amount: 2499,
      currency: 'EUR',
    });
    const resolved = told.find(({ type }) => type === 'dispute_resolved');
    expect(resolved?.data.resolved_reason).toBe('already_refunded');
    await client.configure();
  });
});

describe('control', () => {
  it.each([
    [{ category: 'mood' }, 'category'],
    [{ amount: 1.5 }, 'amount'],
    [{ currency: 'XXX' }, 'currency'],
    [{ evidence_ms: -1 }, 'evidence_ms'],
    [{ reason_code: 'a b' }, 'reason_code'],
  ])('refuses a dispute with a wrong member %#', async (order, name) => {
    const response = await client.control('POST', `/payments/${await pay()}/disputes`, order);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toContain(name);
  });

  it('knows no dispute of an unknown payment', async () => {
    expect((await client.control('POST', '/payments/pay_x/disputes', {})).status).toBe(404);
    expect(await move('dsp_x', 'won')).toBe(404);
  });
});

describe.skipIf(!hasSchemas)('with the official schemas of ../shared/data', () => {
  it('disputes, evidence and files fit', async () => {
    const id = await dispute({}, 'fits');
    // The schemas want shorter ids than their own paths, and lists where their examples have texts.
    const { id: _, relevant_evidence: __, ...body } = await details(id);
    expect(schemaErrors('Dispute', body)).toEqual([]);
    const list = (await client.sdk.disputes.get({ payment_reference: 'fits' })) as {
      data: Members[];
    };
    const data = list.data.map(({ id: _, ...summary }) => summary);
    expect(schemaErrors('DisputePaged', { ...list, data })).toEqual([]);
    const file = await client.sdk.files.getFile(await upload('slip.png', PNG));
    expect(schemaErrors('FileResult', file)).toEqual([]);
  });
});
