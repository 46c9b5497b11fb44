import { describe, expect, it } from 'vitest';
import { deliveryBodyOf, edgeSignature, standardSignature } from './webhook.ts';

describe('edge-signature', () => {
  it('signs the time and the body, joined by a dot', () => {
    expect(edgeSignature.signedText(1756742400, '{"a":"€"}')).toBe('1756742400.{"a":"€"}');
  });
  it('names the time and the third scheme', () => {
    expect(edgeSignature.format(1756742400, '00ff')).toBe('t=1756742400,v3=00ff');
  });
});

describe('webhook-signature', () => {
  it('signs the event id, the time and the body, joined by dots', () => {
    expect(standardSignature.signedText('e1', 1756742400, '{}')).toBe('e1.1756742400.{}');
  });
  it('names the first scheme', () => {
    expect(standardSignature.format('AP8=')).toBe('v1,AP8=');
  });
});

it('a body is JSON in which the record alone has white space', () => {
  const event = {
    id: 'e1',
    type: 'events',
    attributes: {
      data: { id: 'r1', tags: ['a: b', 'c, "d"'], none: null, of: {} },
      slug: 'created',
    },
    relationships: { merchant: { data: null } },
  };
  const body = deliveryBodyOf(event);
  expect(body).toBe(
    '{"data":{"id":"e1","type":"events","attributes":{"slug":"created","data":{"id": "r1", "tags": ["a: b", "c, \\"d\\""], "none": null, "of": {}}},"relationships":{"merchant":{"data":null}}}}',
  );
  expect(JSON.parse(body)).toEqual({ data: event });
});
