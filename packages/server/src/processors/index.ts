import type { Processor } from './processor.ts';
import { createSandboxProcessor, type SandboxConfig } from './sandbox/index.ts';

export type ProcessorsConfig = SandboxConfig;

/** Every processor by its name. A new one is a folder and a line here. */
export const createProcessors = (config: ProcessorsConfig) =>
  ({ sandbox: createSandboxProcessor(config) }) as const satisfies Record<string, Processor>;
