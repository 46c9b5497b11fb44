import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { NetworkProcessor } from './port/processor.ts';
import { createSandboxProcessor, type SandboxConfig } from './sandbox/index.ts';

export type ProcessorsConfig = SandboxConfig;

export interface Processors {
  /** The processor for new payments of a mode. */
  of(mode: Mode): NetworkProcessor | undefined;
  /** Finds a processor by its metadata's name, even if it takes no new payments. */
  findByName(name: string): NetworkProcessor | undefined;
}

/** Creates all processors; none without a simulated card network. A new processor needs its own folder and one line here. */
export function createProcessors(config?: ProcessorsConfig): Processors {
  const sandbox = config && createSandboxProcessor(config);
  const processors: readonly NetworkProcessor[] = sandbox ? [sandbox] : [];
  return {
    of: (mode) => (mode === 'sandbox' ? sandbox : undefined),
    findByName: (name) => processors.find(({ metadata }) => metadata.name === name),
  };
}
