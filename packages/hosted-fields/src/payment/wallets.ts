import {
  type FrameConfig,
  type FrameOptions,
  type VerifyAnswer,
  type WalletName,
  type WalletPayment,
  type WalletRequest,
  type WalletsConfig,
  walletParameters,
} from '@florin/contract/protocol/frame.ts';
import { sendCard } from '../api.ts';
import type { CardForm } from '../form/card-form.ts';
import {
  createWalletSection,
  type WalletSection,
  type WalletSectionOptions,
  walletTitles,
} from '../form/wallet-section.ts';
import type { Texts } from '../texts.ts';
import type { Bank } from './bank.ts';
import { requestGoogle } from './google-pay.ts';
import type { Overlay } from './overlay.ts';
import type { PendingEntry } from './verifier.ts';
import { openSheet } from './wallet-sheet.ts';

export interface WalletParts {
  readonly config: FrameConfig;
  readonly text: Texts;
  readonly form: CardForm;
  readonly overlay: Overlay;
  readonly bank: Bank;
  readonly onSend: () => void;
}

/** Parts that only forms with wallets load. */
export interface Wallets {
  /** Warns in the console about wallets without a button, with the reason. */
  warnOfMissing(options: FrameOptions, config: FrameConfig): void;
  /** Creates the wallets' buttons; undefined if there are none. */
  section(
    options: Omit<WalletSectionOptions, 'wallets'>,
    config: WalletsConfig | undefined,
  ): WalletSection | undefined;
  /** Opens the wallet for an approval and verifies its card. Resolves to undefined without a response. */
  verify(
    parts: WalletParts,
    wallet: WalletName,
    mine: PendingEntry,
    signal: AbortSignal,
  ): Promise<VerifyAnswer | undefined>;
}

const names = Object.keys(walletParameters) as WalletName[];

export const wallets: Wallets = {
  warnOfMissing(options, { mode, wallets }) {
    for (const name of names.filter((key) => !wallets?.[key])) {
      const option = walletParameters[name];
      if (options[option]) console.debug(`[florin form] ${option}: not set up in ${mode} mode`);
    }
  },
  section(options, config) {
    const offered = names.filter((name) => config?.[name]);
    return offered.length > 0 ? createWalletSection({ ...options, wallets: offered }) : undefined;
  },
  async verify(parts, wallet, mine, signal) {
    const { form, text } = parts;
    form.announce('');
    try {
      const payment = await approve(parts, wallet, signal);
      if (!payment) return refusal('wallet_cancelled');
      const attempt = crypto.randomUUID();
      mine.name = { attempt };
      return await send(parts, { wallet, attempt, ...payment }, signal);
    } catch {
      // The wallet failed before a request was sent, so the form shows the message itself.
      form.announce(text('error_wallet_failed'));
      return refusal('wallet_failed');
    }
  },
};

function approve(
  { config, text, overlay }: WalletParts,
  wallet: WalletName,
  signal: AbortSignal,
): Promise<WalletPayment | undefined> {
  const offer = config.wallets?.[wallet];
  if (offer && 'request' in offer) return requestGoogle(offer.request);
  const url = offer?.sheet_url ?? '';
  return openSheet({ url, title: walletTitles[wallet], overlay, text }, signal);
}

async function send(
  { config, form, bank, onSend }: WalletParts,
  approved: WalletPayment & Pick<WalletRequest, 'wallet' | 'attempt'>,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  onSend();
  form.busy(true);
  try {
    const { session, amount, currency, wallets } = config;
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    const { browser } = await bank.prepare('');
    const bill = { session, amount, currency, timezone };
    const request = { ...bill, ...approved, ...(browser && { browser }) };
    const answer = await sendCard(wallets?.verify_url ?? '', request, signal);
    return answer && (await bank.follow(answer, signal));
  } finally {
    form.busy(false);
  }
}

const refusal = (code: string): VerifyAnswer => ({
  result: 'error',
  detail: { code, message: '' },
});
