import { cardNetworks } from '@florin/contract/card/networks.ts';
import { walletKinds } from '@florin/contract/protocol/vault.ts';
import type { ProcessorMetadata } from '../port/metadata.ts';

export const metadata: ProcessorMetadata = {
  name: 'sandbox',
  display_name: 'Simulated card network',
  fields: [],
  networks: cardNetworks.map(({ brand }) => brand),
  currencies: 'all',
  refused_currencies: [],
  capabilities: {
    direct_capture: true,
    partial_capture: true,
    several_captures: true,
    partial_refund: true,
    wallets: walletKinds,
    network_tokens: cardNetworks.map(({ brand }) => brand),
    external_threeds: true,
    merchant_initiated: true,
    evidence_files: false,
  },
  recovery: { strategy: 'inquire' },
  idempotency_ms: Number.POSITIVE_INFINITY,
  arrival_ms_max: 5_000,
};

/** Timeouts per message, in milliseconds. */
export const timeouts = {
  authorise: 10_000,
  authenticate: 10_000,
  cardRange: 2_000,
  inquire: 5_000,
  reverse: 5_000,
  followUp: 10_000,
} as const;
