import { type ProblemError, problem } from '@florin/contract/errors.ts';
import {
  type MerchantStatus,
  readWhileBanned,
  refusals,
} from '@florin/contract/merchant-status.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { hasProcessor, type ProcessorLookup, requireProcessor } from './processor.ts';

type StatusContext = Pick<RequestContext, 'settings'>;
type ChargeContext = Pick<RequestContext, 'settings' | 'scope'>;

/** Throws 403 if the merchant may not charge now, and 422 if no processor takes its payments. */
export function requireCharging(services: ProcessorLookup, ctx: ChargeContext): void {
  requireActive(ctx);
  requireProcessor(services, ctx.scope);
}

/**
 * Why a form or link takes no card: the merchant may not charge, or no processor takes its
 * payments.
 */
export type ClosedReason = 'merchant_held_back' | 'no_processor';

/**
 * Why a merchant takes no cards. Undefined if it takes cards. `settings` are undefined for an
 * unknown merchant.
 */
export function findClosedReason(
  services: ProcessorLookup,
  scope: Scope,
  settings: { readonly merchant_status: MerchantStatus } | undefined,
): ClosedReason | undefined {
  if (settings?.merchant_status !== 'active') return 'merchant_held_back';
  return hasProcessor(services, scope) ? undefined : 'no_processor';
}

/** Throws 403 if the merchant may not charge now. */
export function requireActive({ settings }: StatusContext): void {
  if (settings.merchant_status !== 'active') throw refusalOf(settings.merchant_status);
}

/**
 * Throws 403 if a banned merchant requests anything except its payments and the reason of its ban.
 */
export function refuseBanned({ settings }: StatusContext, resource: RequestedResource): void {
  if (settings.merchant_status !== 'banned') return;
  if (resource.isRead && readWhileBanned.has(resource.type)) return;
  throw refusalOf('banned');
}

interface RequestedResource {
  readonly isRead: boolean;
  /** The resource type in the URL. */
  readonly type: string;
}

function refusalOf(merchant_status: Exclude<MerchantStatus, 'active'>): ProblemError {
  const { code, detail } = refusals[merchant_status];
  return problem(code, detail, undefined, { meta: { merchant_status } });
}
