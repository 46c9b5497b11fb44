import {
  createProcessors,
  type Processors,
  type ProcessorsConfig,
} from '../../src/processors/index.ts';

/** Has the simulated network take live payments too, as long as it is connected. Florin itself has no processor for them. */
export const simulatedLive =
  (isConnected: () => boolean = () => true) =>
  (config: ProcessorsConfig): Processors => {
    const { of, named } = createProcessors(config);
    return {
      named,
      of: (mode) => of(mode === 'live' && isConnected() ? 'sandbox' : mode),
    };
  };
