/**
 * Handles requests as the server does (key, limits and checks), but returns a prebuilt response without a
 * query. Runs as a separate process.
 */
import { Buffer } from 'node:buffer';
import { createAuthenticator } from '@florin/server/features/merchants/authenticate.ts';
import { createCallers } from '@florin/server/features/merchants/sql/callers.ts';
import { callerOf, registerAdmission } from '@florin/server/features/people/access/admission.ts';
import { registerEntryChecks } from '@florin/server/http/entry-checks.ts';
import { createRateLimits } from '@florin/server/http/rate-limit.ts';
import { createSite } from '@florin/server/http/site.ts';
import { openDatabase } from '@florin/server/platform/database/db.ts';
import { createLogger } from '@florin/server/platform/logger.ts';
import { systemClock } from '@florin/server/platform/time/clock.ts';

const [, , bytes = '1000', url = ''] = process.argv;
const body = Buffer.alloc(Number(bytes), 'x');
const monotonic_ms = () => performance.now();
const callers = createCallers(openDatabase({ url, connections_max: 1 }), monotonic_ms);
const authenticator = createAuthenticator(callers, systemClock(), { record() {} });
const limits = createRateLimits({ rate_limit: null, monotonic_ms });
const headers = { 'content-type': 'application/vnd.api+json', vary: 'Accept' };

const site = createSite(createLogger('warn'), { base_url: 'http://localhost:4000' });
await site.register(async (scoped) => {
  const findMember = async () => undefined;
  registerAdmission(scoped, { callers, authenticator, limits, findMember });
  registerEntryChecks(scoped);
  scoped.get('*', async (request, reply) => {
    callerOf(request);
    return reply.headers(headers).send(body);
  });
});
await site.listen({ port: 0, host: '127.0.0.1' });
const address = site.server.address();
process.send?.(typeof address === 'object' ? address?.port : 0);
process.on('disconnect', () => process.exit(0));
