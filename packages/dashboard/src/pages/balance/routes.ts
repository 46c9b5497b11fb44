import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly balance: typeof english;
  }
}

const texts = ['balance', 'records', 'names'] as const;

export const balancePage = definePage({
  path: 'balance',
  permission: 'transaction.balances.read',
  texts,
  load: () => import('./balance.tsx').then(({ Balance }) => Balance),
});

export const ledgerPage = definePage({
  path: 'balance/ledger',
  permission: 'transaction.ledger_transfers.read',
  texts: [...texts, 'payments'],
  load: () => import('./ledger.tsx').then(({ Ledger }) => Ledger),
});

export const payoutPage = definePage({
  path: 'records/payouts/$id',
  permission: 'transaction.payouts.read',
  texts: [...texts, 'help'],
  load: () => import('./payout.tsx').then(({ Payout }) => Payout),
});

export const riskPage = definePage({
  path: 'risk',
  permission: 'transaction.risk_list_entries.read',
  texts,
  load: () => import('./risk.tsx').then(({ Risk }) => Risk),
});

export const balancePages = [balancePage, ledgerPage, payoutPage, riskPage];
