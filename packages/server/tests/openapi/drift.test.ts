import { describe, expect, it } from 'vitest';
import { driftOf, reportDrift } from './drift.ts';

const document = {
  paths: {
    '/v2/things': { get: { responses: { 200: {}, 401: {}, 429: {}, 503: {} } } },
    '/v2/things/{id}': { patch: { responses: { 200: {} } } },
  },
};
const allPairs = ['GET /v2/things 200', 'GET /v2/things 401', 'PATCH /v2/things/{id} 200'];

describe('the document and the observed answers', () => {
  it('agree if every documented answer was seen, and no other', () => {
    const drift = driftOf(
      document,
      new Set([...allPairs, 'GET /v2/other 418', 'GET /v2/things 431']),
    );
    expect(reportDrift(drift, true)).toBe(
      'openapi: 2 operations, 3 statuses, 0 of them seen only at another operation of the kind',
    );
  });

  it('disagree if an operation gives an undocumented answer', () => {
    const drift = driftOf(document, new Set([...allPairs, 'GET /v2/things 422']));
    expect(() => reportDrift(drift, false)).toThrow('GET /v2/things 422 was answered');
  });

  it('disagree if a documented answer is never seen, which only a full run can tell', () => {
    const drift = driftOf(document, new Set(allPairs.slice(1)));
    expect(() => reportDrift(drift, true)).toThrow('GET /v2/things 200 is documented');
    expect(reportDrift(drift, false)).toBe('');
  });

  it('agree if another operation of the kind gave an answer that the kind shares', () => {
    const responses = { 200: {}, 401: {} };
    const extendedDocument = { paths: { ...document.paths, '/v2/ideas': { get: { responses } } } };
    const findUnseen = (...extraPairs: string[]) =>
      driftOf(extendedDocument, new Set([...allPairs, ...extraPairs])).unseen;
    expect(findUnseen('GET /v2/ideas 200')).toEqual([]);
    expect(driftOf(extendedDocument, new Set([...allPairs, 'GET /v2/ideas 200'])).shared).toBe(1);
    expect(findUnseen('GET /v2/ideas 401')).toEqual(['GET /v2/ideas 200']);
    const { unseen } = driftOf(
      extendedDocument,
      new Set(['GET /v2/things 200', 'PATCH /v2/things/{id} 401']),
    );
    expect(unseen).toContain('GET /v2/ideas 401');
  });
});
