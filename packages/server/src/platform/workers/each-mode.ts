import type { Mode } from '@florin/contract/protocol/vault.ts';
import { type LoopOptions, startLoop } from './loop.ts';

const MODES = ['live', 'sandbox'] as const satisfies readonly Mode[];

interface ModeLoop extends Pick<LoopOptions, 'name' | 'wake'> {
  readonly step: (mode: Mode) => Promise<boolean>;
}

interface LoopServices extends Pick<LoopOptions, 'logger'> {
  readonly loop_statuses?: LoopOptions['loop_statuses'] | undefined;
  readonly config: { readonly work_poll_ms: number };
}

/** Starts a separate loop per mode, so that a slow processor of one mode does not delay the other mode. */
export const startEachMode = (
  { logger, loop_statuses, config }: LoopServices,
  { name, wake, step }: ModeLoop,
): AsyncDisposable[] =>
  MODES.map((mode) =>
    startLoop({
      name: `${name}-${mode}`,
      logger,
      loop_statuses,
      poll_ms: config.work_poll_ms,
      ...(wake && { wake }),
      step: () => step(mode),
    }),
  );
