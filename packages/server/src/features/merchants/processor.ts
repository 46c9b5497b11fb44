import { problem } from '@florin/contract/errors.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';

export type Processing = Pick<Services, 'processorOf'>;

/** Whether a processor takes a merchant's payments in a mode. Accounts of merchants at processors belong here, and nowhere else. */
export const hasProcessor = ({ processorOf }: Processing, { mode }: Scope): boolean =>
  processorOf(mode) !== undefined;

/** Throws 422 where no processor takes the merchant's payments: nothing may be stored that nobody can ever pay. */
export function requireProcessor(services: Processing, scope: Scope): void {
  if (!hasProcessor(services, scope)) throw problem('no_processor', NO_PROCESSOR);
}

/** Says to developers what to do, in errors and in the console of their browser. */
export const NO_PROCESSOR =
  'No processor is connected for live payments, so live mode takes none and nothing was stored. Use sandbox keys (ept_sandbox_…) until one is. /docs#live-mode says what works in live mode.';
