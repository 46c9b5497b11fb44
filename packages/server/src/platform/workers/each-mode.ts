import type { Mode } from '@florin/contract/protocol/vault.ts';
import { type LoopOptions, type LoopServices, startLoop } from './loop.ts';

const MODES = ['live', 'sandbox'] as const satisfies readonly Mode[];

interface ModeLoop extends Pick<LoopOptions, 'name' | 'wake' | 'due'> {
  readonly step: (mode: Mode) => Promise<boolean>;
}

interface ModeLoopServices extends LoopServices {
  readonly config: { readonly work_poll_ms: number };
}

/** Starts a separate loop per mode, so that a slow processor of one mode does not delay the other mode. */
export const startEachMode = (
  services: ModeLoopServices,
  { name, step, ...options }: ModeLoop,
): AsyncDisposable[] =>
  MODES.map((mode) =>
    startLoop(services, {
      ...options,
      name: `${name}-${mode}`,
      poll_ms: services.config.work_poll_ms,
      step: () => step(mode),
    }),
  );
