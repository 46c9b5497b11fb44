import type { createClockAhead } from './clock-ahead.ts';
import { type StandInStack, useStandInStack } from './stand-in-stack.ts';

/** A processing channel at the stand-in, with its keys. */
export const firstChannel = {
  channel: 'pc_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  secret_key: 'sk_sbox_abcdefghijklmnopqrstuvwxyz2',
  signature_key: 'signature-key-of-the-tests',
};
type Channel = typeof firstChannel;

const bearerOf = (secret_key: string) => ({ authorization: `Bearer ${secret_key}` });

/** A payment at the stand-in, with the members that tests compare. */
export interface StandInPayment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly balances: Readonly<Record<string, number>>;
}

/** A Florin whose sandbox payments go to the stand-in of Checkout.com. */
export interface CheckoutStack extends StandInStack {
  /** Payments at the stand-in with the reference of an attempt, which a key of another channel does not find. */
  paymentsOf(reference: string, secret_key?: string): Promise<StandInPayment[]>;
  /** Reads from the stand-in with the key of the first channel. */
  read(path: string): Promise<unknown>;
  /** Changes the settings of a channel at the stand-in, whose notifications go to an account. */
  openChannel(channel: Channel, account: string, settings?: object): Promise<void>;
  /** Opens another channel at the stand-in, and connects an account to it. Returns the account's id. */
  addChannel(channel: Channel): Promise<string>;
}

/** Outcomes at the stand-in come at once. */
const outcome_delay_ms = 50;

const fieldsOf = ({ channel, secret_key, signature_key }: Channel) => ({
  settings: { processing_channel_id: channel },
  secrets: { secret_key, signature_key },
});
const settingsOf = ({ secret_key, signature_key }: Channel) => ({
  secret_key,
  webhook_key: signature_key,
  outcome_delay_ms,
});

/** Starts Florin and the stand-in for a test file. With a clock, Florin's waits pass at once. */
export function useCheckoutStack(
  clock?: ReturnType<typeof createClockAhead>,
  config?: Parameters<typeof useStandInStack>[2],
): CheckoutStack {
  const standIn = {
    processor: 'checkout_com',
    path: '/checkout-com',
    ...fieldsOf(firstChannel),
    headers: {},
    account_path: `/accounts/${firstChannel.channel}`,
    account_settings: settingsOf(firstChannel),
  };
  const context = useStandInStack(standIn, clock, config);
  const read = async (path: string, secret_key: string) =>
    (await fetch(context.api_url + path, { headers: bearerOf(secret_key) })).json();
  const openChannel: CheckoutStack['openChannel'] = async (channel, account, settings = {}) =>
    void (await context.control('PUT', `/accounts/${channel.channel}`, {
      ...settingsOf(channel),
      webhook_url: `${context.stack.baseUrl}/notifications/${account}`,
      ...settings,
    }));
  return Object.assign(context, {
    openChannel,
    read: (path: string) => read(path, firstChannel.secret_key),
    async addChannel(channel: Channel) {
      await context.control('PUT', `/accounts/${channel.channel}`, settingsOf(channel));
      const account = await context.connect({ name: channel.channel, ...fieldsOf(channel) });
      await openChannel(channel, account);
      return account;
    },
    async paymentsOf(reference: string, secret_key = firstChannel.secret_key) {
      const { data } = (await read(`/payments?reference=${reference}&limit=100`, secret_key)) as {
        data: { id: string }[];
      };
      const payments = data.map(({ id }) => read(`/payments/${id}`, secret_key));
      return Promise.all(payments) as Promise<StandInPayment[]>;
    },
  });
}
