import { problem } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { renderProblems } from './problems.ts';

const renderError = (error: unknown) => {
  const { status, headers, body } = renderProblems(
    error,
    'https://pay.example.com',
    () => 'the-id',
  );
  return { status, headers, document: JSON.parse(body.toString()) };
};

describe('renderProblems', () => {
  it('renders a problem as a JSON:API error object', () => {
    const error = problem('invalid_state', 'It is paid.', undefined, {
      meta: { allowed_actions: [] },
      headers: { allow: 'GET' },
    });
    expect(renderError(error)).toEqual({
      status: 405,
      headers: { allow: 'GET' },
      document: {
        jsonapi: { version: '1.1' },
        errors: [
          {
            id: 'the-id',
            links: { about: 'https://pay.example.com/docs/errors/invalid_state' },
            status: '405',
            code: 'invalid_state',
            title: 'Not possible in this state',
            detail: 'It is paid.',
            meta: { allowed_actions: [] },
          },
        ],
      },
    });
  });

  it('keeps the type that a profile defines beside the link to the documentation', () => {
    const type = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/unsupported-sort';
    const error = problem('invalid_sort', 'Unknown.', undefined, { links: { type } });
    expect(renderError(error).document.errors[0].links).toEqual({
      about: 'https://pay.example.com/docs/errors/invalid_sort',
      type,
    });
  });

  it('reveals nothing of an unexpected error', () => {
    const { status, document } = renderError(new Error('relation "x" does not exist'));
    expect(status).toBe(500);
    expect(document.errors).toEqual([expect.objectContaining({ code: 'internal', status: '500' })]);
    expect(JSON.stringify(document)).not.toContain('relation');
  });

  it('translates a body that is too large', () => {
    const error = Object.assign(new Error(), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' });
    expect(renderError(error)).toMatchObject({
      status: 413,
      document: { errors: [{ code: 'body_too_large' }] },
    });
  });
});
