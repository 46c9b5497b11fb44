import { problem } from '@florin/contract/errors.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';

export type Processing = Pick<Services, 'processorOf'>;

/**
 * Whether a processor takes a merchant's payments in a mode. Merchants' accounts at processors
 * belong only here.
 */
export const hasProcessor = ({ processorOf }: Processing, { mode }: Scope): boolean =>
  processorOf(mode) !== undefined;

/**
 * Throws 422 if no processor takes the merchant's payments, so that no unpayable record is stored.
 */
export function requireProcessor(services: Processing, scope: Scope): void {
  if (!hasProcessor(services, scope)) throw problem('no_processor', NO_PROCESSOR);
}

/** Advice to developers, in errors and in the browser's console. */
export const NO_PROCESSOR =
  'No processor is connected for live payments, so live mode takes none and nothing was stored. Use sandbox keys (ept_sandbox_…) until one is. /docs#live-mode says what works in live mode.';
