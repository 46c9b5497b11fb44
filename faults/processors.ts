import type { Processors, ProcessorsConfig } from '@florin/server/processors/index.ts';
import { createSandboxProcessor } from '@florin/server/processors/sandbox/index.ts';
import { SPEED } from './fast-clock.ts';

/** Longest that the network of a run delays a message, with room for a machine that has much to do. */
const ARRIVAL_MS = 1_500;

/** The sandbox's processor, which says how long messages take by the fast clock of a run. */
export function createRunProcessors(config: ProcessorsConfig): Processors {
  const sandbox = createSandboxProcessor(config);
  const metadata = { ...sandbox.metadata, arrival_ms_max: ARRIVAL_MS * SPEED };
  const processor = { ...sandbox, metadata };
  return {
    of: (mode) => (mode === 'sandbox' ? processor : undefined),
    named: (name) => (name === metadata.name ? processor : undefined),
  };
}
