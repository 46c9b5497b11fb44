import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Processor } from './processor.ts';
import { createSandboxProcessor, type SandboxConfig } from './sandbox/index.ts';

export type ProcessorsConfig = SandboxConfig;

/** The processors of an installation. */
export interface Processors {
  /** The processor that takes the new payments of a mode. */
  of(mode: Mode): Processor | undefined;
  /** The processor by the name in its metadata, also where it takes no new payments any more. */
  named(name: string): Processor | undefined;
}

/** Makes every processor. A new one is a folder and a line here. */
export function createProcessors(config: ProcessorsConfig): Processors {
  const sandbox = createSandboxProcessor(config);
  const all: readonly Processor[] = [sandbox];
  return {
    of: (mode) => (mode === 'sandbox' ? sandbox : undefined),
    named: (name) => all.find(({ metadata }) => metadata.name === name),
  };
}
