import { startEachMode } from '../../../platform/workers/each-mode.ts';
import type { Services } from '../../../services.ts';
import { settleDue } from '../settle.ts';

/** Starts the loops that settle finished days and pay out, one per mode. */
export const startSettleDayLoops = (services: Services): AsyncDisposable[] =>
  startEachMode(services, { name: 'settle-day', step: (mode) => settleDue(services, mode) });
