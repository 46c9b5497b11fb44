import type { ProcessorMetadata } from '../processor.ts';

export const metadata: ProcessorMetadata = {
  name: 'sandbox',
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
