import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import { createClient, type Relations } from '../../../packages/server/tests/support/client.ts';
import {
  makeAddress,
  makeCustomer,
  makeDemand,
  waitForOutcome,
} from '../../../packages/server/tests/support/make.ts';
import {
  createCryptogram,
  encryptNetworkToken,
} from '../../../packages/server/tests/support/network-token.ts';
import {
  mountWithWallets,
  requestWalletToken,
  walletBody,
} from '../../../packages/server/tests/support/wallet.ts';
import { canaryAccounts, control, unsettledAmountOf } from './accounts.ts';
import { chargePath, type Path, type Paths } from './paths.ts';
import { call, mount, sealFor, verify } from './protocol.ts';
import type { CanaryTestbed } from './testbed.ts';

const POLL_MS = 100;

type Account = (typeof canaryAccounts)[number];

/** Charges a card, by default without a fault of the stand-in. */
const faultPath =
  (account: Account, fault?: object, amount = account.amount): Path =>
  async (testbed, card, trail) => {
    const payments = { method: 'POST', path: '/payments' };
    if (fault) await control(testbed, account, 'POST', '/faults', { ...payments, ...fault });
    const outcome = await chargePath(amount)(testbed, card, trail);
    await waitUntilSent(testbed);
    return outcome;
  };

/** Waits until no message is in flight, so that the next fault hits the next path. */
const waitUntilSent = async (testbed: CanaryTestbed): Promise<void> => {
  const database = await testbed.database();
  const sql = `select from payment_demands p where status = 'pending'
    union all select from attempts where status = 'sending'`;
  while ((await database.query(sql)).rowCount !== 0) await sleep(POLL_MS);
};

const clientOf = ({ florin }: CanaryTestbed) =>
  createClient(florin.baseUrl, florin.credentials.sandbox.secret_key);

async function outcomeOf(testbed: CanaryTestbed, id: string): Promise<string> {
  const { attributes } = await waitForOutcome(clientOf(testbed), id);
  return attributes.failure_reason ?? attributes.status;
}

/** Pays with a typed card, with the stored card, and with the stored card without the payer. */
const storePath =
  (amount_cents: number): Path =>
  async (testbed, card, trail) => {
    const shop = testbed.shop();
    const payment = await shop.makePayment(amount_cents);
    const config = await mount(testbed.florin, payment);
    const sealed = await sealFor(config, card);
    trail.sealedParts.push(sealed.pan_jwe, sealed.cvv_jwe);
    trail.responses.push((await verify(testbed.florin, config, sealed)).text);
    await shop.confirm(payment);
    const outcomes = [await outcomeOf(testbed, payment)];
    const client = clientOf(testbed);
    const { relationships } = await client.fetch('payment_demands', payment);
    const relations = Object.fromEntries(
      ['payer', 'billing_address', 'payment_method'].map((name) => [
        name,
        relationships[name]?.data,
      ]),
    ) as Relations;
    for (const initiator of ['customer', 'merchant']) {
      const attributes = { confirmed: true, amount_cents, initiator };
      const { id } = await makeDemand(client, attributes, relations);
      outcomes.push(await outcomeOf(testbed, id));
    }
    return outcomes.join(' ');
  };

/** Pays with a wallet, whose device number and cryptogram the vault sends. */
const walletPath =
  (amount: number): Path =>
  async (testbed, _, trail) => {
    const { florin } = testbed;
    const shop = testbed.shop();
    const payment = await shop.makePayment(amount);
    const key = florin.credentials.sandbox.publishable_key;
    const form: FrameConfig = await mountWithWallets(florin as never, payment, key);
    const token = await requestWalletToken(form, 'google_pay', { card: 'mastercard' });
    const answer = await call(florin.payUrl, 'POST', '/frame/v1/wallet', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(walletBody(form, 'google_pay', token)),
    });
    trail.responses.push(answer.text);
    if (!/"verified"/.test(answer.text)) return answer.text;
    await shop.confirm(payment);
    return outcomeOf(testbed, payment);
  };

/** Pays with a merchant's own network token, which the merchant encrypts for the vault. */
const tokenPath =
  (amount_cents: number): Path =>
  async (testbed, { number }, trail) => {
    const client = clientOf(testbed);
    const cryptogram = createCryptogram();
    const network_token_jwe = await encryptNetworkToken(client, { number, cryptogram });
    trail.sealedParts.push(network_token_jwe);
    trail.storedCiphertexts.push(Buffer.from(cryptogram));
    const payer = await makeCustomer(client);
    const payment_method = await client.make(
      'payment_methods',
      { network_token_jwe },
      { customer: payer },
    );
    trail.responses.push(JSON.stringify(payment_method));
    const parties = {
      payer,
      billing_address: await makeAddress(client, {}, { customer: payer }),
      payment_method,
    };
    const { id } = await makeDemand(client, { confirmed: true, amount_cents }, parties);
    return outcomeOf(testbed, id);
  };

/** Paths through accounts at processors, one at a time, since a fault hits the next payment. */
export const accountPaths: Paths = Object.fromEntries(
  canaryAccounts.flatMap((account) => {
    const pathsByName = {
      'declined by': faultPath(account),
      'answered by, and the answer lost': faultPath(account, { kind: 'lose_answer' }),
      'repeated in a refusal by': faultPath(account, { kind: 'echo', status: 422 }),
      'repeated in a failure of': faultPath(
        account,
        { kind: 'echo', status: 500 },
        unsettledAmountOf(account),
      ),
    };
    return Object.entries(pathsByName).map(([name, path]) => [
      `${name} ${account.processor}`,
      [path, 'charged'],
    ]);
  }),
);

/** Paths of network tokens, whose numbers nobody else has. */
export const tokenPaths: Paths = Object.fromEntries(
  canaryAccounts.map(({ processor, amount }) => [
    `as a network token at ${processor}`,
    // The stand-ins decline numbers of no test card, after the vault has sent them.
    [tokenPath(amount), 'invalid_card'],
  ]),
);

/** Paths of approved cards. */
export const approvedPaths: Paths = Object.fromEntries(
  canaryAccounts.flatMap(({ processor, amount }) => [
    [`typed and stored at ${processor}`, [storePath(amount), 'succeeded succeeded succeeded']],
    [`in a wallet at ${processor}`, [walletPath(amount), 'succeeded']],
  ]),
);
