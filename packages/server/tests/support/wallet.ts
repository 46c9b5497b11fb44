import { sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import type { FrameConfig, WalletName, WalletRequest } from '@florin/contract/protocol/frame.ts';
import {
  type WalletSheetAnswer,
  type WalletSheetRequest,
  walletSheetPaths,
} from '@florin/contract/protocol/network.ts';
import type { Stack } from '@florin/dev-env/stack.ts';
import { browser } from './bank.ts';
import { callPay } from './form.ts';
import { rawRequest } from './raw-request.ts';

/** Mounts a form on a page that offers both wallets; returns the form's configuration. */
export async function mountWithWallets(
  stack: Stack,
  paymentId: string,
  key: string,
  query = '',
): Promise<FrameConfig> {
  const path = `/pay/${paymentId}?key=${key}&applePay=true&googlePay=true${query}`;
  const { text } = await callPay(stack, path);
  const json = /id="florin-config">(.*?)<\/script>/s.exec(text)?.[1];
  if (!json) throw new Error('the page holds no form');
  return JSON.parse(json) as FrameConfig;
}

/** URL of the sandbox sheet. Throws if the form does not offer the wallet. */
export function sheetUrl({ wallets }: FrameConfig, wallet: WalletName): URL {
  const offer = wallets?.[wallet];
  if (!offer || !('sheet_url' in offer)) throw new Error(`the form does not offer ${wallet}`);
  return new URL(offer.sheet_url);
}

export interface SheetChoice {
  /** Name of the card's test token without `pan_test_`. */
  readonly card?: string;
  readonly kind?: WalletSheetRequest['kind'];
}

/** Requests the token that the sandbox's wallet sheet returns after the cardholder's approval. */
export async function requestWalletToken(
  form: FrameConfig,
  wallet: WalletName,
  { card = 'visa', kind = 'cryptogram' }: SheetChoice = {},
): Promise<string> {
  const url = sheetUrl(form, wallet);
  const sheetParameters = Object.fromEntries(url.searchParams);
  const body = {
    ...sheetParameters,
    amount: Number(sheetParameters.amount),
    card: `pan_test_${card}`,
    kind,
  };
  const answer = await rawRequest(`http://127.0.0.1:${url.port}`, {
    method: 'POST',
    path: walletSheetPaths[wallet],
    headers: { host: url.host, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (JSON.parse(answer.text) as WalletSheetAnswer).token;
}

/** The form's verification request with a wallet's token. */
export const walletBody = (
  { session, amount, currency }: FrameConfig,
  wallet: WalletName,
  token: string,
): WalletRequest => ({
  session,
  wallet,
  token,
  amount,
  currency,
  timezone: 'Europe/Vienna',
  browser,
});

export const cardNumberOf = (cardName: string): string =>
  sandboxCardByToken(`pan_test_${cardName}`)?.number as string;
