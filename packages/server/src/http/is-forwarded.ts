import type { IncomingHttpHeaders } from 'node:http';

/** Whether a proxy forwarded the request. Such requests come from other hosts. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));
