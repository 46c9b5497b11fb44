import {
  createProcessors,
  type Processors,
  type ProcessorsConfig,
} from '../../src/processors/index.ts';

/** Lets the simulated network take live payments while connected, because Florin has no live processor. */
export const simulateLive =
  (isConnected: () => boolean = () => true) =>
  (config: ProcessorsConfig): Processors => {
    const { of, findByName: named } = createProcessors(config);
    return {
      findByName: named,
      of: (mode) => of(mode === 'live' && isConnected() ? 'sandbox' : mode),
    };
  };
