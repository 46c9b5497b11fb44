import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import type { Logger } from '../kernel/logger.ts';
import { knownError, report } from './site.ts';

it("nothing of a database's message is logged, however many lines it has", () => {
  const error = Object.assign(new Error('invalid input\nat "first"\nDETAIL: second'), {
    code: '22P02',
  });
  const lines: string[] = [];
  const logger = { error: (line: object) => lines.push(JSON.stringify(line)) };
  const request = { id: 'a request', routeOptions: { url: '/v2' } };
  report(logger as unknown as Logger, error, request as unknown as FastifyRequest);
  expect(lines.join()).toContain('22P02');
  expect(lines.join()).toContain('site.test.ts');
  expect(lines.join()).not.toMatch(/invalid|first|second/);
});

it.each(['57014', '55P03', '53300', '08006', '57P01'])(
  'a database that fails with %s is told as a condition that passes',
  (code) => {
    const error = Object.assign(new Error('the database'), { code });
    expect(knownError(error)).toMatchObject({
      problems: [{ code: 'unavailable' }],
      headers: { 'retry-after': '1' },
    });
  },
);
