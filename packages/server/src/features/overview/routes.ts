import { problem } from '@florin/contract/errors.ts';
import { SPAN_DAYS_MAX } from '@florin/contract/overview.ts';
import type { FastifyInstance } from 'fastify';
import { lastDays } from '../../features/overview/last-days.ts';
import { createOverview } from '../../features/overview/overview.ts';
import { memberContext } from '../../features/people/dashboard/member-context.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { DaySpan } from './sql.ts';

/** Highest value of `before`, which shifts the range for comparisons. */
const BEFORE_MAX = 12;

/**
 * `GET /dashboard/api/overview?days=30`: amounts by currency and day, in the merchant's time zone.
 * The last day is today; `before=1` returns the range before.
 */
export function registerOverview(fastify: FastifyInstance, services: Services): void {
  const overview = createOverview(services);
  fastify.get('/dashboard/api/overview', async (request) => {
    const ctx = await memberContext(services, request, { type: 'payment_demands' });
    for (const type of ['payment_demands', 'refund_demands'])
      requirePermission(ctx, services.models.get(type), 'read');
    const { timezone } = ctx.settings;
    const now = services.timelines.of(ctx.scope).clock.now();
    const span = spanOf(request.query as Query, now, timezone);
    // Yesterday, since payments of its last hours are still captured and refunded.
    const { from: recentFrom } = lastDays(now, span.timezone, 2);
    return { ...span, currencies: await overview(ctx.scope, span, recentFrom) };
  });
}

type Query = Readonly<Record<string, unknown>>;

/** Reads the range from the query. Throws 422 for invalid numbers. */
function spanOf(query: Query, now: Micros, timezone: string): DaySpan {
  const periodsBack = query.before === undefined ? 0 : numberOf(query, 'before', 0, BEFORE_MAX);
  return lastDays(now, timezone, numberOf(query, 'days', 1, SPAN_DAYS_MAX), periodsBack);
}

function numberOf(query: Query, parameter: string, min: number, max: number): number {
  const text = query[parameter];
  const number = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw invalid(parameter, `${parameter} must be a number from ${min} to ${max}.`);
}

const invalid = (parameter: string, detail: string) =>
  problem('invalid_value', detail, { parameter });
