import { describe, expect, it } from 'vitest';
import { checkAccept, checkContentType, MEDIA_TYPE } from './media-type.ts';

describe('checkAccept', () => {
  it.each([
    undefined,
    '',
    MEDIA_TYPE,
    'APPLICATION/VND.API+JSON',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'application/*, */*;q=0',
    `${MEDIA_TYPE}; foo=bar, ${MEDIA_TYPE}`,
    `${MEDIA_TYPE}; ext="https://unknown.example/x,y", ${MEDIA_TYPE}`,
    `${MEDIA_TYPE} ; profile="https://unknown.example/p;q"`,
    `${MEDIA_TYPE};q=0.5`,
  ])('accepts %s', (accept) => {
    expect(() => checkAccept(accept)).not.toThrow();
  });

  it.each([
    'text/html',
    'application/json',
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; ext="https://unknown.example/x"`,
    `${MEDIA_TYPE};q=0`,
    '*/*;q=0.0',
    `${MEDIA_TYPE}; foo=bar, */*`,
    `${MEDIA_TYPE};q=0, */*`,
    'application/*;q=0, */*',
    'text/html, application/json',
  ])('answers 406 to %s', (accept) => {
    expect(() => checkAccept(accept)).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({ code: 'not_acceptable', source: { header: 'Accept' } }),
        ],
      }),
    );
  });
});

it.each([
  [undefined, []],
  ['*/*', []],
  [MEDIA_TYPE, []],
  [`${MEDIA_TYPE}; profile="a  b", ${MEDIA_TYPE}; profile=c;q=0.5`, ['a', 'b', 'c']],
  [`${MEDIA_TYPE}; profile="a"; foo=bar, ${MEDIA_TYPE}; profile="b";q=0, */*;profile=c`, undefined],
])('checkAccept(%s) returns the requested profiles: %j', (accept, profiles) => {
  if (profiles) expect([...checkAccept(accept)]).toEqual(profiles);
  else expect(() => checkAccept(accept)).toThrow();
});

describe('checkContentType', () => {
  it.each([
    MEDIA_TYPE,
    'Application/Vnd.Api+JSON',
    `${MEDIA_TYPE}; profile="https://unknown.example/p"`,
  ])('accepts %s', (type) => {
    expect(() => checkContentType(type)).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'application/json',
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE};ext="https://unknown.example/x"`,
  ])('answers 415 to %s', (type) => {
    expect(() => checkContentType(type)).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({
            code: 'unsupported_media_type',
            source: { header: 'Content-Type' },
          }),
        ],
      }),
    );
  });
});
