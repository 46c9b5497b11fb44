import type { Processors, ProcessorsConfig } from '@florin/server/processors/index.ts';
import { createSandboxProcessor } from '@florin/server/processors/sandbox/index.ts';
import { SPEED } from './fast-clock.ts';

/** Longest delay of a message in a run's network, with a margin for a busy computer. */
const ARRIVAL_MS = 1_500;

/** The sandbox's processor, with arrival times that suit a run's fast clock. */
export function createRunProcessors(config: ProcessorsConfig): Processors {
  const sandbox = createSandboxProcessor(config);
  const metadata = { ...sandbox.metadata, arrival_ms_max: ARRIVAL_MS * SPEED };
  const processor = { ...sandbox, metadata };
  return {
    of: (mode) => (mode === 'sandbox' ? processor : undefined),
    findByName: (name) => (name === metadata.name ? processor : undefined),
  };
}
