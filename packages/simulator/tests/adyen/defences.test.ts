import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSimulator } from '../checkout-com/stand-in.ts';
import { createReceiver, type Receiver } from '../notifications/receiver.ts';
import { adyenSchemaErrors, hasAdyenSchemas } from './schemas.ts';
import { type AdyenClient, createAdyenClient, createAdyenPayment } from './stand-in.ts';

const DAY_MS = 24 * 60 * 60_000;
const simulator = useSimulator();
let client: AdyenClient;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await createReceiver();
  client = await createAdyenClient(simulator.url, { webhook_url: receiver.url });
});
afterEach(async () => {
  await client.configure({ webhook_url: undefined });
  await receiver[Symbol.asyncDispose]();
});

/** Psp reference of a new dispute. */
async function openDispute(body: object = {}): Promise<string> {
  const request = createAdyenPayment(client, { additionalData: {} });
  const { pspReference } = await client.sdk.PaymentsApi.payments(request as never);
  const response = await client.control('POST', `/payments/${pspReference}/disputes`, body);
  return ((await response.json()) as { psp: string }).psp;
}

const subjectOf = (disputePspReference: string) => ({
  merchantAccountCode: client.account,
  disputePspReference,
});
const documentOf = (text: string, changes: object = {}) => ({
  defenseDocumentTypeCode: 'DefenseMaterial',
  contentType: 'application/pdf',
  content: Buffer.from(text).toString('base64'),
  ...changes,
});
const supply = (psp: string, ...defenseDocuments: ReturnType<typeof documentOf>[]) =>
  client.disputes.supplyDefenseDocument({ ...subjectOf(psp), defenseDocuments });
const defend = (psp: string, defenseReasonCode = 'SupplyDefenseMaterial') =>
  client.disputes.defendDispute({ ...subjectOf(psp), defenseReasonCode });
/** Codes and dispute statuses of the notifications after the payment's own. */
async function told(count: number): Promise<string[]> {
  const received = await receiver.arrived(count + 1);
  return received.slice(1).map(({ body }) => {
    const { eventCode, additionalData } =
      JSON.parse(body).notificationItems[0].NotificationRequestItem;
    return `${eventCode} ${additionalData.disputeStatus}`;
  });
}

const OPENED = ['NOTIFICATION_OF_CHARGEBACK Undefended', 'CHARGEBACK Undefended'];

describe('a defence by the official SDK', () => {
  it('needs the documents of its reason', async () => {
    const psp = await openDispute();
    const reasonsOf = async () =>
      (await client.disputes.retrieveApplicableDefenseReasons(subjectOf(psp))).defenseReasons;
    expect(await reasonsOf()).toMatchObject([
      {
        defenseReasonCode: 'SupplyDefenseMaterial',
        satisfied: false,
        defenseDocumentTypes: [{ available: false, requirementLevel: 'Required' }],
      },
      { satisfied: false },
    ]);
    expect(await defend(psp)).toMatchObject({ disputeServiceResult: { success: false } });
    expect(await supply(psp, documentOf('proof'))).toMatchObject({
      disputeServiceResult: { success: true },
    });
    expect(await reasonsOf()).toMatchObject([{ satisfied: true }, { satisfied: false }]);
    const defenseDocumentType = 'DefenseMaterial';
    const removal = { ...subjectOf(psp), defenseDocumentType };
    await client.disputes.deleteDisputeDefenseDocument(removal);
    expect(await reasonsOf()).toMatchObject([{ satisfied: false }, {}]);
    expect(await client.disputes.deleteDisputeDefenseDocument(removal)).toMatchObject({
      disputeServiceResult: { success: false },
    });
  });

  it('gives the money back, and wins', async () => {
    const psp = await openDispute();
    await supply(psp, documentOf('proof'));
    expect(await defend(psp)).toMatchObject({ disputeServiceResult: { success: true } });
    expect(await told(4)).toEqual([
      ...OPENED,
      'CHARGEBACK_REVERSED Pending',
      'ISSUER_RESPONSE_TIMEFRAME_EXPIRED Won',
    ]);
    expect(await defend(psp)).toMatchObject({ disputeServiceResult: { success: false } });
  });

  it('is not followed by the end of the defence period', async () => {
    const psp = await openDispute();
    await supply(psp, documentOf('proof'));
    await defend(psp);
    await receiver.arrived(5);
    await client.advance(18 * DAY_MS + 1);
    await client.control('POST', `/disputes/${psp}/events`, { event: 'PREARBITRATION_LOST' });
    expect((await told(5))[4]).toBe('PREARBITRATION_LOST Lost');
  });

  it('with losing evidence ends in a second chargeback', async () => {
    const psp = await openDispute();
    await supply(psp, documentOf('losing_evidence', { defenseDocumentTypeCode: 'TIDorInvoice' }));
    await defend(psp, 'GoodsOrServicesProvided');
    expect((await told(4)).slice(2)).toEqual([
      'CHARGEBACK_REVERSED Pending',
      'SECOND_CHARGEBACK Lost',
    ]);
  });

  it('answers a request for information', async () => {
    const psp = await openDispute({ events: ['REQUEST_FOR_INFORMATION'] });
    await supply(psp, documentOf('proof'));
    await defend(psp);
    expect(await told(2)).toEqual([
      'REQUEST_FOR_INFORMATION Unresponded',
      'INFORMATION_SUPPLIED Responded',
    ]);
  });

  it('comes after the delay of the account', async () => {
    await client.configure({ webhook_url: receiver.url, outcome_delay_ms: 60_000 });
    const psp = await openDispute();
    await supply(psp, documentOf('proof'));
    await defend(psp);
    expect(await told(2)).toEqual(OPENED);
    await client.advance(60_001);
    expect((await told(3))[2]).toBe('CHARGEBACK_REVERSED Pending');
  });
});

describe('a dispute', () => {
  it('may be accepted once', async () => {
    const psp = await openDispute();
    const accept = () => client.disputes.acceptDispute(subjectOf(psp));
    expect(await accept()).toMatchObject({ disputeServiceResult: { success: true } });
    expect((await told(3))[2]).toBe('DISPUTE_DEFENSE_PERIOD_ENDED Accepted');
    expect(await accept()).toMatchObject({ disputeServiceResult: { success: false } });
  });

  it('that nobody defends in time is over', async () => {
    const psp = await openDispute();
    await client.advance(18 * DAY_MS + 1);
    expect((await told(3))[2]).toBe('DISPUTE_DEFENSE_PERIOD_ENDED Expired');
    await supply(psp, documentOf('proof'));
    expect(await defend(psp)).toMatchObject({ disputeServiceResult: { success: false } });
  });

  it('of another account is unknown', async () => {
    const other = await createAdyenClient(simulator.url);
    const psp = await openDispute();
    const subject = { merchantAccountCode: other.account, disputePspReference: psp };
    expect(await other.disputes.acceptDispute(subject)).toMatchObject({
      disputeServiceResult: { success: false },
    });
  });
});

describe('a document', () => {
  it.each([
    { defenseDocumentTypeCode: 'Selfie' },
    { contentType: 'text/plain' },
    { content: '?' },
    { content: Buffer.alloc(2 * 1024 * 1024 + 1).toString('base64') },
  ])('with a fault is refused with all others %#', async (changes) => {
    const psp = await openDispute();
    expect(await supply(psp, documentOf('proof'), documentOf('x', changes))).toMatchObject({
      disputeServiceResult: { success: false, errorMessage: expect.any(String) },
    });
    expect(await defend(psp)).toMatchObject({ disputeServiceResult: { success: false } });
  });
});

describe.skipIf(!hasAdyenSchemas)('with the official schemas of ../shared/data', () => {
  it('responses fit', async () => {
    const psp = await openDispute();
    const send = async (operation: string, body: object = {}) => {
      const response = await fetch(`${client.url}/ca/services/DisputeService/v30/${operation}`, {
        method: 'POST',
        headers: { 'x-api-key': client.apiKey },
        body: JSON.stringify({ ...subjectOf(psp), ...body }),
      });
      return response.json();
    };
    const reasons = await send('retrieveApplicableDefenseReasons');
    expect(adyenSchemaErrors('disputes', 'DefenseReasonsResponse', reasons)).toEqual([]);
    const refusal = await send('supplyDefenseDocument');
    expect(adyenSchemaErrors('disputes', 'SupplyDefenseDocumentResponse', refusal)).toEqual([]);
    const accepted = await send('acceptDispute');
    expect(adyenSchemaErrors('disputes', 'AcceptDisputeResponse', accepted)).toEqual([]);
  });
});
