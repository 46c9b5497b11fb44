import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { type AuthorisationRequest, networkPaths } from '@florin/contract/protocol/network.ts';
import {
  RESULT_SIGNATURE_HEADER,
  resultSignatureHeader,
  signedResultText,
} from '@florin/contract/protocol/threeds-results.ts';
import { afterAll, beforeAll } from 'vitest';
import type {
  AuthenticationKey,
  Holder,
  SignedReferences,
} from '../../src/features/checkout/threeds/signed-references.ts';
import { createSignedReferences } from '../../src/features/checkout/threeds/signed-references.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { browser, callForm, enterCode, openChallenge } from './bank.ts';
import { type Client, createClient } from './client.ts';
import { createClockAhead } from './clock-ahead.ts';
import { answerOf, callPay, type FormServer, mountForm, sealCard } from './form.ts';
import { openSecret } from './instance-secrets.ts';
import { eventually, makeAddress, makeCustomer, makeDemand, waitForOutcome } from './make.ts';
import { type Fixtures, openFixtures } from './merchants.ts';
import { rawRequest } from './raw-request.ts';
import { type SlowNetwork, startSlowNetwork } from './slow-network.ts';

/** Last four digits of amounts that select a behaviour of the simulated bank for every card. */
export const amounts = {
  frictionless: 9811,
  rejected: 9812,
  challenge: 9813,
  not_enrolled: 9814,
  unattempted: 9815,
  unavailable: 9816,
  attempted: 9817,
  informational: 9818,
  error: 9825,
  duplicate: 9827,
} as const;
export type BankBehaviour = keyof typeof amounts;

/** A payment whose card was submitted in a form. */
export interface CardVerification {
  readonly paymentId: string;
  readonly session: string;
  readonly answer: VerifyAnswer;
  /** The request body, for repeating the request. */
  readonly body: object;
}

/** Server, client and publishable key for card verifications. */
export interface VerificationContext {
  readonly server: FormServer;
  readonly client: Client;
  readonly publishableKey: string;
}

/** Creates a payment that lacks only a card. Returns its id. */
export async function makeCardlessPaymentId(client: Client, amount_cents: number): Promise<string> {
  const payer = await makeCustomer(client);
  const billing_address = await makeAddress(client, {}, { customer: payer });
  return (await makeDemand(client, { amount_cents }, { payer, billing_address })).id;
}

/** Submits a card for a payment, by default for a new payment of the amount. */
export async function verifyCard(
  { server, client, publishableKey }: VerificationContext,
  amount: number,
  cardName = 'visa',
  paymentId?: string,
): Promise<CardVerification> {
  const id = paymentId ?? (await makeCardlessPaymentId(client, amount));
  const form = await mountForm(server, id, publishableKey);
  const body = { ...(await sealCard(form, cardName)), browser };
  const answer = answerOf(await callPay(server, '/frame/v1/verify', body));
  return { paymentId: id, session: form.session, answer, body };
}

export const handleOf = ({ answer }: CardVerification): string =>
  answer.result === 'challenge' ? answer.challenge.authentication : '';

const challengeRequestOf = (verification: CardVerification) => ({
  session: verification.session,
  authentication: handleOf(verification),
});

/** Polls the challenge until it has ended. */
export const waitForChallengeEnd = (
  { server }: VerificationContext,
  verification: CardVerification,
): Promise<VerifyAnswer> =>
  eventually(
    () => callForm(server, 'challenge', challengeRequestOf(verification)),
    ({ result }) => result !== 'challenge',
  );

/** Cancels the challenge in the form. */
export const cancelChallenge = (
  { server }: VerificationContext,
  verification: CardVerification,
): Promise<VerifyAnswer> => callForm(server, 'challenge/cancel', challengeRequestOf(verification));

/** Enters codes on the bank's page, one after the other. */
export async function enterCodes(
  { server }: VerificationContext,
  { answer }: CardVerification,
  codes: readonly string[],
): Promise<void> {
  let bankPage = await openChallenge(server, answer);
  for (const code of codes) bankPage = await enterCode(bankPage, code);
}

export const CODE = '123456';

/** Confirms the payment and waits for its outcome. Returns its attributes. */
export async function pay(client: Client, paymentId: string): Promise<Record<string, unknown>> {
  await client.send('PATCH', `/v2/payment_demands/${paymentId}/confirm`);
  return (await waitForOutcome(client, paymentId)).attributes;
}

/** Slugs of the events about a record, in order. */
export async function eventSlugsOf(client: Client, id: string): Promise<string[]> {
  const { body } = await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  return body.data.map(({ attributes }: { attributes: { slug: string } }) => attributes.slug);
}

/** A stack that lets tests observe and answer its messages to the network. */
export interface Bank {
  /** Context of the demo merchant. */
  context: VerificationContext;
  network: SlowNetwork;
  fixtures: Fixtures;
  signed_references: SignedReferences;
  /** Authorisations that reached the network, in order and without card data. */
  readonly authorisations: Pick<AuthorisationRequest, 'reference' | 'amount' | 'authentication'>[];
  /** A different amount each time, with the given last four digits. */
  amountFor(behaviour: BankBehaviour): number;
  /** Context of the merchant with these keys. */
  contextOf(secretKey: string, publishableKey: string): VerificationContext;
  authenticationsOf(paymentId: string): Promise<Row[]>;
  /** Expires all open authentications of a payment. */
  expireAuthentications(paymentId: string): Promise<void>;
  /** Sends a result as a directory server does. Returns the response's status. */
  sendResult(row: Row, message: object, holder?: Holder): Promise<number>;
  /** Sends a body with any signature to the address of an authentication's results. */
  sendSigned(row: Row, delivery: SignedDelivery): Promise<number>;
  /** Authorises directly at the network, without the server. Returns the network's result. */
  authorise(request: object): Promise<string>;
}

const AMOUNT_STEP = 10_000;

export function useBank(): Bank {
  const clock = createClockAhead();
  let amountCount = 0;
  const bank: Bank = Object.assign({} as Bank, {
    authorisations: [],
    amountFor: (behaviour: BankBehaviour) => ++amountCount * AMOUNT_STEP + amounts[behaviour],
    contextOf: (secret: string, publishableKey: string) => {
      const { payUrl, baseUrl } = bank.network;
      return { server: { payUrl }, client: createClient(baseUrl, secret), publishableKey };
    },
    authenticationsOf: (paymentId: string) =>
      bank.fixtures.db.query(
        'select * from authentications where payment_id = $1 order by created_at, id',
        [paymentId],
      ),
    async expireAuthentications(paymentId: string) {
      await bank.fixtures.db.query(
        `update authentications set due_at = now() - interval '1 second'
         where payment_id = $1 and due_at is not null`,
        [paymentId],
      );
      clock.wake();
    },
    sendResult: (row: Row, message: object, holder: Holder = 'directory') =>
      sendSigned(bank, row, { ...signResult(bank, row, message), holder }),
    sendSigned: (row: Row, delivery: SignedDelivery) => sendSigned(bank, row, delivery),
    authorise: (request: object) => authorise(bank.network.simulatorUrl, request),
  });
  beforeAll(async () => {
    const network = await startSlowNetwork({ clock });
    const { publishable_key, secret_key } = network.credentials.sandbox;
    network.onMessage = async ({ path, body }) => {
      if (path === networkPaths.authorisations) bank.authorisations.push(authorisationOf(body));
    };
    bank.network = network;
    bank.context = bank.contextOf(secret_key, publishable_key);
    bank.fixtures = await openFixtures(network.databaseUrl);
    bank.signed_references = createSignedReferences(
      await openSecret(bank.fixtures.db, network.dataDir, 'authentications'),
    );
  });
  afterAll(async () => {
    await bank.fixtures?.[Symbol.asyncDispose]();
    await bank.network?.[Symbol.asyncDispose]();
  });
  return bank;
}

function authorisationOf(body: string): Bank['authorisations'][number] {
  const { reference, amount, authentication } = JSON.parse(body) as AuthorisationRequest;
  return { reference, amount, ...(authentication && { authentication }) };
}

/** A message to the address for results. */
export interface SignedDelivery {
  readonly body: string;
  /** Header with the signature; absent: none is sent. */
  readonly signature?: string;
  readonly holder?: Holder;
}

let lastSentAt = 0;

/** Signs a result with the key of the authentication, each time at a later millisecond. */
export function signResult(
  { signed_references }: Pick<Bank, 'signed_references'>,
  row: Row,
  message: object,
): SignedDelivery & { readonly signature: string } {
  lastSentAt = Math.max(lastSentAt + 1, Date.now());
  const body = JSON.stringify(message);
  const signer = createSigner(Buffer.from(signed_references.resultsKeyOf(row)));
  const signature = signer.sign(signedResultText(lastSentAt, body));
  return { body, signature: resultSignatureHeader({ sent_at: lastSentAt, signature }) };
}

async function sendSigned(
  { network: { baseUrl }, signed_references }: Bank,
  row: Row,
  { body, signature, holder = 'directory' }: SignedDelivery,
): Promise<number> {
  const handle = signed_references.sign(holder, row as unknown as AuthenticationKey);
  const { status } = await rawRequest(baseUrl, {
    method: 'POST',
    path: `/threeds/v1/results/${handle}`,
    headers: {
      host: new URL(baseUrl).host,
      'content-type': 'application/json',
      ...(signature !== undefined && { [RESULT_SIGNATURE_HEADER]: signature }),
    },
    body,
  });
  return status;
}

/** The directory server's result of a successful challenge. */
export const resultOf = (row: Row) => ({
  reference: row.id,
  ds_trans_id: row.directory_transaction_eid,
  acs_trans_id: row.acs_transaction_eid,
  message_version: '2.2.0',
  trans_status: 'Y',
  eci: '05',
  cavv: 'AAAA',
});

async function authorise(simulatorUrl: string, request: object): Promise<string> {
  const response = await fetch(simulatorUrl + networkPaths.authorisations, {
    method: 'POST',
    body: JSON.stringify({ capture: true, ...request }),
  });
  return ((await response.json()) as { result: string }).result;
}
